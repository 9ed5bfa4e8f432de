import Foundation
import PushModel

/// What keeps pushes from a device that is there: its sleep, and the budget of background pushes. Time arrives as a value.
///
/// Apple on `apns-priority` ("Sending notification requests to APNs", read October 2026): 10 goes at once, 5 "based on power
/// considerations on the user's device", and 1 puts these "over all other factors" and does not awaken the device. What that
/// means here is our choice: while the device says that it sleeps, 5 waits for the next push of priority 10, or until
/// ``Rules/longestGrouping`` is over, and then all of them go in one burst; 1 waits until the device wakes up.
struct Restraint: Sendable {
    /// One object for all mailboxes.
    final class Rules: Sendable {
        /// Seconds.
        let longestGrouping: TimeInterval
        let silentBudget: SilentBudget?

        init(longestGrouping: TimeInterval = GatewayRules.usualGrouping, silentBudget: SilentBudget? = nil) {
            self.longestGrouping = longestGrouping
            self.silentBudget = silentBudget
        }

        convenience init(_ rules: GatewayRules) {
            self.init(longestGrouping: rules.longestGrouping, silentBudget: rules.silentBudget)
        }

        static let usual = Rules()
    }

    enum Reason: Hashable, Sendable {
        /// The device sleeps.
        case sleep
        /// The background pushes of this interval are used up.
        case budget
    }

    var isAsleep = false
    /// When the pushes of priority 5 go that wait for the device; nil if none does.
    var groupEnds: Date?
    /// When background pushes went of late, oldest first.
    private var silent: [Date] = []

    /// Why a push waits; nil if it may go.
    ///
    /// * `wakes`: the device is woken anyway.
    func reason(against head: PushHead, wakes: Bool, _ rules: Rules, at now: Date) -> Reason? {
        if isAsleep, head.priority == 1 || head.priority == 5 && !wakes { return .sleep }
        if head.pushType == .background, let next = nextSilent(rules), next > now { return .budget }
        return nil
    }

    /// When the next background push may go; nil if it may at any time.
    func nextSilent(_ rules: Rules) -> Date? {
        guard let budget = rules.silentBudget, silent.count >= budget.pushes else { return nil }
        return silent[silent.count - budget.pushes].addingTimeInterval(budget.interval)
    }

    /// A push goes to the device.
    mutating func note(_ head: PushHead, _ rules: Rules, at now: Date) {
        guard let budget = rules.silentBudget, head.pushType == .background else { return }
        silent.append(now)
        if silent.count > budget.pushes { silent.removeFirst(silent.count - budget.pushes) }
    }

    /// Whether the time of the pushes of priority 5 has come.
    func endsGroup(at now: Date) -> Bool { groupEnds.map { $0 <= now } ?? false }
}
