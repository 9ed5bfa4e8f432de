package import Foundation
import PushModel

/// The reasons to hold pushes back from a connected device: its sleep, and the budget of background pushes. Time arrives as a
/// value.
///
/// Apple on `apns-priority` ("Sending notification requests to APNs", read October 2026): 10 goes at once, 5 "based on power
/// considerations on the user's device", and 1 puts these "over all other factors" and does not awaken the device. The
/// interpretation is our choice: while the device says that it sleeps, 5 waits for the next push of priority 10, or for the
/// end of ``GatewayRules/longestGrouping``, and then all of them go in one burst; 1 waits until the device wakes up.
struct Restraint: Sendable {
    enum Reason: Hashable, Sendable {
        /// The device sleeps.
        case sleep
        /// The background pushes of this interval are used up.
        case budget
    }

    var isAsleep = false
    /// The date when the waiting pushes of priority 5 are delivered; nil if none waits.
    var groupEnds: Date?
    /// The dates of recent background pushes, oldest first.
    private var silent: [Date] = []

    /// Returns the reason why a push has to wait; nil if it may go.
    ///
    /// `wakes` is the device is woken anyway, `now` nil for whatever may come to hold the push back.
    func reason(against head: PushHead, wakes: Bool, _ rules: Mailbox.Rules, at now: Date?) -> Reason? {
        if isAsleep, head.priority == 1 || head.priority == 5 && !wakes { return .sleep }
        if head.pushType == .background, isUsedUp(rules, at: now) { return .budget }
        return nil
    }

    private func isUsedUp(_ rules: Mailbox.Rules, at now: Date?) -> Bool {
        guard let budget = rules.silentBudget, silent.count >= budget.pushes else { return false }
        return now.map { !silent[silent.count - budget.pushes].isOver(after: budget.interval, at: $0) } ?? true
    }

    /// Returns the date when the next background push may go; nil if it may go at any time.
    func nextSilent(_ rules: Mailbox.Rules) -> Date? {
        guard let budget = rules.silentBudget, silent.count >= budget.pushes else { return nil }
        return silent[silent.count - budget.pushes].addingTimeInterval(budget.interval)
    }

    /// Records a push that goes to the device.
    mutating func note(_ head: PushHead, _ rules: Mailbox.Rules, at now: Date) {
        guard let budget = rules.silentBudget, head.pushType == .background else { return }
        silent.append(now)
        if silent.count > budget.pushes { silent.removeFirst(silent.count - budget.pushes) }
    }

    /// Whether the waiting pushes of priority 5 are due.
    func endsGroup(at now: Date) -> Bool { groupEnds.map { $0 <= now } ?? false }
}

/// The largest number of background pushes to the device of one token in any interval.
///
/// Apple says "two or three per hour" ("Pushing background updates to your App", read October 2026); the form of the rule is
/// our choice.
package struct SilentBudget: Hashable, Sendable {
    package var pushes: Int
    /// The length of the interval in seconds.
    package var interval: TimeInterval

    package init(pushes: Int, interval: TimeInterval) {
        self.pushes = pushes
        self.interval = interval
    }
}
