package import Foundation
package import PushModel

/// The current state of a push, and its events at the gateway and on its device.
package struct PushStanding: Sendable {
    package enum Place: Hashable, Sendable {
        /// The push waits for its device until the given date.
        case waiting(until: Date)
        /// The push was sent to its device, which has not confirmed it; without a confirmation it waits again until the date. Nil
        /// for a push with one attempt.
        case onTheWay(until: Date?)
        /// The push is in no mailbox; the events and answers say why.
        case nowhere
    }

    /// An answer to the provider other than that a push was accepted.
    package struct Answer: Hashable, Sendable {
        package var date: Date
        package var status: Int
        package var reason: APNSReason?
    }

    /// The apns-id in lower case.
    package var apnsID: String
    package var place = Place.nowhere
    /// The environment of the mailbox that holds the push.
    package var environment: APNSEnvironment?
    /// The topic of the mailbox that holds the push.
    package var topic: String?
    /// The events that the gateway still remembers, oldest first.
    package var events: [JourneyEvent] = []
    /// The answers that the gateway still remembers, oldest first.
    package var answers: [Answer] = []
    /// The facts about a channel message; nil for a push to a device token.
    var broadcast: BroadcastFacts?

    /// `waiting`, `onTheWay`, the gateway's last event for it, or `refused`; for a channel message `stored`, `delivered` (to one
    /// device at least), `coalesced`, `expired`, or `sent`.
    package var state: String {
        if let broadcast { return broadcast.stateName }
        switch place {
        case .waiting: return "waiting"
        case .onTheWay: return "onTheWay"
        case .nowhere:
            let last = events.last { $0.station == .gateway }
            return last?.kind.name ?? (answers.isEmpty ? "told" : "refused")
        }
    }
}

extension PushStanding {
    package var json: JSONObject {
        var object: JSONObject = ["apns-id": .string(apnsID), "state": .string(state)]
        switch place {
        case .waiting(let until): object["until"] = .string(until.iso8601)
        case .onTheWay(let until): object["until"] = until.map { .string($0.iso8601) }
        case .nowhere: break
        }
        object["broadcast"] = broadcast.map { .object($0.json) }
        object["environment"] = environment.map { .string($0.rawValue) }
        object["topic"] = topic.map { .string($0) }
        object["events"] = .array(events.map(\.json))
        object["answers"] = .array(
            answers.map { answer in
                [
                    "at": .string(answer.date.iso8601), "status": .number(answer.status),
                    "reason": answer.reason.map { .string($0.rawValue) } ?? .null,
                ]
            }
        )
        return object
    }
}
