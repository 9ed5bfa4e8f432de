package import Foundation
package import PushModel

/// Where a push is now, and what happened to it at the gateway and on its device.
package struct PushStanding: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// It waits for its device, until then.
        case waiting(until: Date)
        /// It was sent to its device, which has not said yet that it has it; until then it would wait again. Nil: it is
        /// tried once.
        case onTheWay(until: Date?)
        /// In no mailbox: the events and answers tell why.
        case nowhere
    }

    /// An answer to the provider other than that a push was accepted.
    package struct Answer: Hashable, Sendable {
        package var date: Date
        package var status: Int
        package var reason: APNSReason?
    }

    /// In lower case.
    package var apnsID: String
    package var place = Place.nowhere
    /// Of the mailbox where it is.
    package var environment: APNSEnvironment?
    /// Of the mailbox where it is.
    package var topic: String?
    /// Oldest first, of those that the gateway still remembers.
    package var events: [JourneyEvent] = []
    /// Oldest first, of those that the gateway still remembers.
    package var answers: [Answer] = []

    /// `waiting`, `onTheWay`, what the gateway did last with it, or `refused`.
    package var state: String {
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
        object["environment"] = environment.map { .string($0.rawValue) }
        object["topic"] = topic.map { .string($0) }
        object["events"] = .array(events.map(\.json))
        object["answers"] = .array(
            answers.map { answer in
                [
                    "at": .string(answer.date.iso8601), "status": .integer(Int64(answer.status)),
                    "reason": answer.reason.map { .string($0.rawValue) } ?? .null,
                ]
            }
        )
        return object
    }
}
