import Foundation
import PushClock
import PushModel

/// A push with an in-app message.
struct InAppPush {
    var request: PushRequest
    var message: MessageID
    var app: App.ID
    /// Whether it is of the class `immediate`.
    var isImmediate: Bool
}

// An in-app message follows the rules of its notification: quiet hours, topics with their caps, and variables.
extension MessageRouter {
    /// Returns deliveries of one app with what each of the linked devices gets of in-app messages.
    func resolved(
        _ deliveries: [CustomMessageDelivery],
        for sessions: [DeviceOrdinal: SDKLinkSession]
    ) async throws -> [CustomMessageDelivery] {
        guard deliveries.contains(where: { $0.inApp != nil }) else { return deliveries }
        var resolved = deliveries
        for index in resolved.indices {
            guard let (request, audience) = resolved[index].inApp, let content = request.inAppMessage else { continue }
            let id = resolved[index].logged
            let app = resolved[index].app
            let count = audience.reduce(0) { $0 + $1.ordinals.count }
            let isImmediate = count <= DeliveryClass.fewDevices && request.options.isUnslowed
            let push = InAppPush(request: request, message: id, app: app, isImmediate: isImmediate)
            guard isRuled(push) else {
                resolved[index].content = .init(content, of: id, to: audience)
                continue
            }
            let ordinals = audience.flatMap { $0.members(among: sessions) }
            resolved[index].content = .each(
                try await messages(of: push, to: ordinals).map { .init(device: $0, message: id, content: $1) }
            )
        }
        return resolved
    }

    /// Whether devices may get different in-app messages of a push, or none.
    func isRuled(_ push: InAppPush) -> Bool {
        push.request.options.topic != nil || quietHours(of: push) != nil
            || !push.request.inAppLanguages.isEmpty || push.request.inAppMessage?.mayHaveVariables == true
    }

    /// Returns the in-app messages of a push for devices that may be shown its notification now.
    func messages(
        of push: InAppPush,
        to ordinals: [DeviceOrdinal]
    ) async throws -> [(device: DeviceOrdinal, content: CustomMessage)] {
        guard push.request.inAppMessage != nil else { return [] }
        var left = ordinals.sorted()
        if let rule = quietHours(of: push) {
            let zones = registry.zones(of: left[...], of: push.app)
            let decisions = rule.decisions(for: zones, count: left.count, at: clock.date, expiry: .distantFuture)
            left = left.indices.filter { decisions?[$0] ?? .send == .send }.map { left[$0] }
        }
        if let topic = push.request.options.topic { left = try await restrained(left, by: topic, push) }
        guard !left.isEmpty else { return [] }
        left.sort()
        // The plain text, and those of the languages.
        let languages = push.request.inAppLanguages
        let texts = ([nil] + languages.alerts.indices.map { $0 }).map { push.request.inAppMessage(inLanguageAt: $0) }
        let devices = languages.isEmpty ? NamesOfDevices() : registry.languages(of: left[...], of: push.app)
        var choice = LanguageChoice(of: devices)
        let chosen = left.indices.map { choice.place(at: $0, among: languages).map { $0 + 1 } ?? 0 }
        guard texts.contains(where: { $0?.mayHaveVariables == true }) else {
            return zip(left, chosen).compactMap { device, text in texts[text].map { (device, $0) } }
        }
        var values = try await store.attributes(of: OrdinalList(left), app: push.app)
        let fillable = texts.map { $0.map { FillableMessage($0) } }
        return left.indices.compactMap { place in
            fillable[chosen[place]].map { (left[place], $0.filled(with: &values, at: place)) }
        }
    }

    /// Returns the devices that get the pushes of a topic. A device without a notification counts the in-app message instead.
    private func restrained(
        _ ordinals: [DeviceOrdinal],
        by topic: String,
        _ push: InAppPush
    ) async throws -> [DeviceOrdinal] {
        let environment = push.request.options.environment
        let targets = registry.targets(ordinals[...], of: push.app, environment: environment)
        var left: [DeviceOrdinal] = []
        for isCopy in [true, false] {
            let part = targets.filter { ($0.token != nil) == isCopy }.map(\.ordinal)
            guard !part.isEmpty else { continue }
            let held = try await store.restrain(
                TopicPush(
                    app: push.app,
                    topic: topic,
                    message: push.message,
                    isImmediate: push.isImmediate,
                    isCopy: isCopy,
                    times: registry.localTimes(of: part, of: push.app, at: clock.date, fallback: zone)
                )
            )
            left += part.filter { held[$0] == nil }
        }
        return left
    }

    private func quietHours(of push: InAppPush) -> QuietHoursRule? {
        QuietHoursRule(push.request, ofApp: registry.app(push.app)?.quietHours, fallback: zone)
    }
}
