import PushModel
import Synchronization

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
