package import Foundation
package import PushModel
import Synchronization

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
        let end: Date? =
            switch place {
            case .waiting(let until): until
            case .onTheWay(let until): until
            case .nowhere: nil
            }
        let answers: [JSONMembers] = answers.map { answer in
            ["at": answer.date.iso8601, "status": answer.status, "reason": answer.reason?.rawValue]
        }
        return JSONObject(present: [
            "apns-id": apnsID, "state": state, "until": end?.iso8601,
            "broadcast": broadcast.map { JSONValue.object($0.json) },
            "environment": environment, "topic": topic, "events": events.map(\.json), "answers": answers,
        ])
    }
}

/// The gateway's statistics, and the state of a push.
extension Gateway {
    /// The counts since the gateway started, and its current contents.
    package var statistics: GatewayCounts {
        var result = state.withLock { state in
            var result = state.tally.counts
            result.devices = state.courierLinks.count
            for environment in APNSEnvironment.allCases where state.tally.accepted(environment) > 0 {
                let answer = GatewayCounts.Answer(environment: environment, status: 200)
                result.answers[answer] = state.tally.accepted(environment)
            }
            return result
        }
        result.answers.merge(counts.counts, uniquingKeysWith: +)
        result.providers = providers.count
        return result
    }

    /// Updates the total of waiting pushes after a mailbox has changed.
    func countWaiting(at index: Int, _ state: inout GatewayState) {
        let waiting = state.records[index].mailbox.waitingCount
        let known = Int(state.records[index].waiting)
        guard waiting != known else { return }
        state.records[index].waiting = Int32(clamping: waiting)
        state.tally.counts.waiting += waiting - known
        metrics.waiting(state.tally.counts.waiting)
    }

    /// Returns the state of a push by its apns-id, in upper or lower case; nil if it is not known, or no longer.
    ///
    /// This searches everything that is remembered: it is meant for people, not for every push.
    package func standing(of apnsID: String) -> PushStanding? {
        guard let id = APNSID(apnsID) else { return nil }
        var standing = state.withLock { state in
            var standing = PushStanding(apnsID: id.text)
            standing.broadcast = state.broadcasts.facts(of: id)
            // Asked for by its unique id, perhaps.
            let id = standing.broadcast?.id ?? id
            standing.apnsID = id.text
            standing.events = state.feed.events(of: id)
            for index in state.records.indices {
                guard let found = state.records[index].mailbox.place(of: id) else { continue }
                standing.place = found
                standing.environment = state.records[index].environment
                standing.topic = state.records[index].topic
            }
            return standing
        }
        standing.answers = counts.answers(to: id).map {
            PushStanding.Answer(date: $0.date, status: $0.answer.status, reason: $0.answer.reason)
        }
        let isPlaced = standing.place != .nowhere || standing.broadcast != nil
        let isKnown = isPlaced || !standing.events.isEmpty || !standing.answers.isEmpty
        return isKnown ? standing : nil
    }
}
