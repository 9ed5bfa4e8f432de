package import Foundation
import PushClock
package import PushModel

/// The expected fate of a push if it were accepted now.
package struct PushForecast: Codable, Hashable, Sendable {
    /// Devices that get the text of a language.
    package struct Text: Codable, Hashable, Sendable {
        /// The tag in the push; nil for the plain alert.
        @OrNull package var language: String?
        package var devices: Int
    }

    /// Devices of the audience, also those below that get no notification.
    package var targeted = 0
    package var noToken = 0
    package var otherEnvironment = 0
    /// APNs has refused the token before.
    package var refused = 0
    /// Push is switched off.
    package var pushOff = 0
    /// Held back until quiet hours end, and when the last of them do.
    package var held = 0
    package var heldUntil: Date?
    /// Not sent, because quiet hours outlast the time to live.
    package var quiet = 0
    /// The push of `x_unless_opened` was opened.
    package var openedBefore = 0
    package var capped = 0
    package var declined = 0
    /// The devices that are sent a notification, now or later, by the language of its text; empty for a push with a plain alert alone.
    package var languages: [Text] = []
    /// The time until all are sent, without those that are held; nil if the service has sent to too few devices since its start to know.
    package var seconds: Int?

    fileprivate mutating func count(_ language: String?) {
        if let place = languages.firstIndex(where: { $0.language == language }) {
            languages[place].devices += 1
        } else {
            languages.append(Text(language: language, devices: 1))
        }
    }
}

extension PushAcceptor {
    /// The devices that are looked at together.
    private static let portion = 4000

    /// Says what would become of a push. Nothing is stored or sent; a msg_id is used up.
    ///
    /// The rules are those of accepting and of sending a push.
    ///
    /// - Throws: ``JPushError`` as ``validate(_:_:for:)``.
    package func forecast(
        _ request: PushRequest,
        _ body: [UInt8],
        for app: App
    ) async throws -> (result: PushResult, forecast: PushForecast) {
        try app.check(request, body)
        let now = clock.date
        try await checkUndone(request)
        let (request, body) = try await placed(request, body, for: app, at: now)
        let push = try await prepare(request, body, for: app, at: now)
        var forecast = PushForecast()
        var due = 0
        for chunk in push.chunks {
            let ordinals = chunk.ordinals.ordinals
            switch chunk.kind {
            case .send, .retry:
                forecast.targeted += ordinals.count
                for portion in ordinals.slices(of: Self.portion) {
                    due += try await add(Array(portion), of: push.message, request, for: app, at: now, to: &forecast)
                }
            case .otherEnvironment: forecast.otherEnvironment += ordinals.count
            case .withoutToken: forecast.noToken += ordinals.count
            case .refused: forecast.refused += ordinals.count
            case .stopped: forecast.pushOff += ordinals.count
            // The same devices, or some of them, over their links.
            case .message: if !request.isForAPNs { forecast.targeted += ordinals.count }
            case .inApp: break
            }
        }
        forecast.targeted += forecast.otherEnvironment + forecast.noToken + forecast.refused + forecast.pushOff
        let slowed = max(
            Double(request.options.slowMinutes) * 60,
            request.options.rate.map { Double(due) / Double($0) } ?? 0
        )
        let seconds = pace.perSecond.map { max(slowed, Double(due) / $0) } ?? (slowed > 0 ? slowed : nil)
        // A custom message waits for the links of the devices.
        forecast.seconds = request.isForAPNs ? seconds.map { Int($0.rounded(.up)) } : nil
        forecast.languages.sort { ($1.devices, $0.language ?? "") < ($0.devices, $1.language ?? "") }
        return (push.result, forecast)
    }

    /// Adds devices that have a token, in the order of the rules of a step.
    ///
    /// - Returns: the number of devices to which the push is sent at once.
    private func add(
        _ ordinals: [DeviceOrdinal],
        of message: Message,
        _ request: PushRequest,
        for app: App,
        at now: Date,
        to forecast: inout PushForecast
    ) async throws -> Int {
        var left = ordinals
        if request.hasNotification, let opened = request.options.unlessOpened {
            let openers = try await store.openers(of: opened, app: app.id, among: left)
            left.removeAll { openers.contains($0) }
            forecast.openedBefore += openers.count
        }
        if request.hasNotification, let topic = request.options.topic {
            var push = TopicPush(
                app: app.id,
                topic: topic,
                message: message.id,
                isImmediate: message.delivery == .immediate,
                times: registry.localTimes(of: left, of: app.id, at: now, fallback: zone)
            )
            push.isForecast = true
            let restrained = try await store.restrain(push)
            left.removeAll { restrained[$0] != nil }
            for reason in restrained.values {
                if reason == .topicDeclined { forecast.declined += 1 } else { forecast.capped += 1 }
            }
        }
        var atOnce = left.count
        if let rule = QuietHoursRule(request, ofApp: app.quietHours, fallback: zone),
            let decisions = rule.decisions(
                for: registry.zones(of: left[...], of: app.id),
                count: left.count,
                at: now,
                expiry: message.expiresAt
            )
        {
            for decision in decisions {
                switch decision {
                case .send: continue
                case .hold(let until):
                    forecast.held += 1
                    forecast.heldUntil = max(until, forecast.heldUntil ?? until)
                case .suppress: forecast.quiet += 1
                }
                atOnce -= 1
            }
            left = left.indices.filter { if case .suppress = decisions[$0] { false } else { true } }.map { left[$0] }
        }
        let alerts = request.notification.localized
        guard !alerts.isEmpty else { return atOnce }
        var choice = LanguageChoice(of: registry.languages(of: left[...], of: app.id))
        for place in left.indices {
            forecast.count(choice.place(at: place, among: alerts).map { alerts.names[$0] })
        }
        return atOnce
    }
}
