package import Foundation
package import PushModel

/// A push as the API shows it.
package struct MessageAnswer: Codable, Sendable {
    package let msgID: String
    package let acceptedAt: Date
    package let environment: APNSEnvironment
    @OrNull package var cid: String?
    @OrNull package var requestID: String?
    /// The alert or the text of the custom message, by which a person recognises the push.
    @OrNull package var text: String?
    /// Whether it is still to be sent to some devices; only in a list.
    package var waiting: Bool?

    package init(_ message: Message, isWaiting: Bool? = nil) {
        msgID = message.id.description
        acceptedAt = message.acceptedAt
        environment = message.environment
        cid = message.cid
        requestID = message.origin?.requestID
        waiting = isWaiting
        let push = (try? JSONValue(parsing: message.body))?.object
        let notification = push?["notification"]?.object
        let alerts = [notification?["ios"]?.object?["alert"], notification?["alert"]].lazy.compactMap { alert in
            alert?.string ?? alert?.object.flatMap { $0["title"]?.string ?? $0["body"]?.string }
        }
        text = alerts.first ?? push?["message"]?.object?["msg_content"]?.string
    }
}

package struct MessageListAnswer: Codable, Sendable {
    package let messages: [MessageAnswer]
    /// The push before which the next page begins.
    @OrNull package var next: String?

    package init(_ page: MessagePage) {
        messages = page.messages.map { MessageAnswer($0.message, isWaiting: $0.isWaiting) }
        next = page.next?.description
    }
}

/// The progress and the outcomes of a push, as the API shows it.
package struct MessageStandingAnswer: Codable, Sendable {
    package struct Outcome: Codable, Sendable {
        package enum Part: String, CaseIterable, Codable, Sendable { case notification, voip }

        package let event: String
        package let part: Part
        @OrNull package var reason: String?
        package let sentence: String
        package let devices: Int
        /// The first of the devices.
        package let registrationIDs: [String]
    }

    /// How far the notification's removal from the devices that got it is.
    package struct TakenBack: Codable, Sendable {
        /// The push that asks the devices.
        package let msgID: String
        /// The numbers of devices that have removed it, on which it was not there any more, on which the user has opened it, that have not
        /// answered, and whose client is too old.
        package let removed, absent, opened, waiting, impossible: Int
        /// The reasons known of devices that have not answered.
        package let outcomes: [Outcome]
    }

    package let expiresAt: Date
    /// The request as it came; null if it cannot be read.
    package let push: JSONValue
    package let progress: MessageProgress
    package let outcomes: [Outcome]
    @OrNull package var takenBack: TakenBack?
    @OrNull package var callback: CallbackState?
    package let warnings: [PushWarning]
    package let outcomesComplete: Bool
}

package typealias WholeMessageAnswer = Both<MessageAnswer, MessageStandingAnswer>

/// Queries about the pushes of an app: which there are, and how far one is.
package struct MessageQueries: Sendable {
    package let store: any MessageStore & CallbackStore & JourneyStore & ReportStore
    let registry: Registry

    /// The most bytes of a text to search for, and how many pushes one search looks at: pages of so many.
    package static let searchBytes = 200
    private static let searched = (pages: 10, size: 200)

    /// Returns the pushes of an app with lower ids than `id`, or all, the newest first; with a text, those that have it in their JSON or in
    /// the id of their request.
    ///
    /// A search may end before it has found `limit` pushes; the page tells where it goes on.
    package func list(
        of app: App.ID,
        before id: MessageID?,
        limit: Int,
        containing text: String? = nil
    ) async throws -> MessagePage {
        guard let text else { return try await store.messages(of: app, before: id, limit: limit) }
        var found = MessagePage()
        found.next = id
        for _ in 0..<Self.searched.pages {
            let page = try await store.messages(of: app, before: found.next, limit: Self.searched.size)
            for entry in page.messages where entry.message.contains(text) {
                found.messages.append(entry)
                found.next = entry.message.id
                if found.messages.count == limit { return found }
            }
            found.next = page.next
            if page.next == nil { break }
        }
        return found
    }

    /// Returns a push, how far it is, and what became of it and of the VoIP push beside it; nil if the app has no such push.
    package func message(_ id: MessageID, of app: App.ID) async throws -> WholeMessageAnswer? {
        guard let (message, chunks) = try await store.message(id, of: app) else { return nil }
        let exceptions = try await store.exceptions(of: id, limit: MessageOutcomes.readEvents)
        var outcomes = MessageOutcomes(chunks, exceptions)
        if let voip = try await store.voipPush(of: id) {
            if voip == id {
                outcomes.isForVoIP()
            } else if let (_, chunks) = try await store.message(voip, of: app) {
                let exceptions = try await store.exceptions(of: voip, limit: MessageOutcomes.readEvents)
                outcomes.add(ofVoIPPush: MessageOutcomes(chunks, exceptions))
            }
        }
        let standing = MessageStandingAnswer(
            expiresAt: message.expiresAt,
            push: (try? JSONValue(parsing: message.body)) ?? .null,
            progress: MessageProgress(chunks),
            outcomes: outcomes.outcomes.map { answer(for: $0, of: message) },
            takenBack: try await takenBack(id, of: app),
            callback: try await store.callbackState(of: id),
            warnings: PushWarning.all(in: message.body[...]),
            outcomesComplete: outcomes.isComplete
        )
        return Both(MessageAnswer(message), standing)
    }

    private func takenBack(_ id: MessageID, of app: App.ID) async throws -> MessageStandingAnswer.TakenBack? {
        let orders = try await store.takeBacks(of: id, on: nil)
        let whole = orders.first { $0.device == nil }?.id
        guard let order = whole ?? orders.first?.id, let (message, chunks) = try await store.message(order, of: app)
        else { return nil }
        let alone = orders.filter { $0.device != nil }
        let counts = try await store.counts(of: [id], app: app)
        var open = alone.filter { $0.answer.isEmpty }.map { (asked: $0.at, devices: [$0.device].compactMap(\.self)) }
        var asked = DeliveryCounts()
        if let whole {
            // Read once, so that a device that answers meanwhile is counted once.
            let reaches = try await store.reach(of: whole, app: app)
            asked.displayed = reaches.reduce(0) { $0 + $1.displayed.count }
            asked.clicked = reaches.reduce(0) { $0 + $1.clicked.count }
            let devices = reaches.flatMap { reach in
                reach.ordinals.indices.filter { !reach.clicked.contains($0) }.map { reach.ordinals[$0] }
            }
            open.append((message.acceptedAt, devices))
        }
        // They were asked again when they came.
        let impossible = Set(open.flatMap { registry.seen($0.devices, of: app, after: $0.asked) })
        let waiting = Set(open.flatMap(\.devices)).subtracting(impossible)
        var exceptions = try await store.exceptions(of: order, limit: MessageOutcomes.readEvents)
        exceptions.events = exceptions.events.map { ($0.event, $0.ordinals.filter(waiting.contains)) }
        let outcomes = MessageOutcomes(chunks, exceptions, isOrder: true).outcomes.filter { $0.devices > 0 }
        let removed = asked.displayed + alone.count { $0.answer.contains(.displayed) }
        return MessageStandingAnswer.TakenBack(
            msgID: order.description,
            removed: removed,
            absent: asked.clicked + alone.count { !$0.answer.isEmpty } - removed,
            opened: counts[id]?.clicked ?? 0,
            waiting: waiting.count,
            impossible: impossible.count,
            outcomes: outcomes.map { answer(for: $0, of: message) }
        )
    }

    private func answer(for outcome: MessageOutcomes.Outcome, of message: Message) -> MessageStandingAnswer.Outcome {
        // An event needs a time, which is not shown.
        let event = JourneyEvent(date: message.acceptedAt, station: .service, kind: outcome.event)
        let verdict = Verdict([event], context: Verdict.Context(pushEnvironment: message.environment))
        return MessageStandingAnswer.Outcome(
            event: outcome.event.name,
            part: outcome.isVoIP ? .voip : .notification,
            reason: outcome.event.reason,
            sentence: verdict.sentence,
            devices: outcome.devices,
            registrationIDs: outcome.first.map { registry.name(of: DeviceID(app: message.app, ordinal: $0)).text }
        )
    }
}

extension Message {
    /// Returns whether a text is in the push or in the id of its request, whatever its case.
    fileprivate func contains(_ text: String) -> Bool {
        if origin?.requestID.localizedStandardContains(text) == true { return true }
        return (try? JSONValue(parsing: body))?.contains(text) == true
    }
}

extension JSONValue {
    /// Returns whether a text is part of one of the value's texts.
    fileprivate func contains(_ text: String) -> Bool {
        switch self {
        case .string(let value): value.localizedStandardContains(text)
        case .array(let values): values.contains { $0.contains(text) }
        case .object(let object): object.members.contains { $0.value.contains(text) }
        default: false
        }
    }
}
