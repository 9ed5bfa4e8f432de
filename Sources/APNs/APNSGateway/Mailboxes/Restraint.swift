package import Foundation
import PushModel

/// The reasons to hold pushes back from a connected device: its sleep, and the budget of background pushes. Time arrives as a
/// value.
///
/// Apple on `apns-priority` ("Sending notification requests to APNs", read October 2026): 10 goes at once, 5 "based on power
/// considerations on the user's device", and 1 puts these "over all other factors" and does not awaken the device. The
/// interpretation is our choice: while the device says that it sleeps, 5 waits for the next push of priority 10, or for the
/// end of ``Rules/longestGrouping``, and then all of them go in one burst; 1 waits until the device wakes up.
struct Restraint: Sendable {
    /// The rules, one object for all mailboxes.
    final class Rules: Sendable {
        /// The longest grouping time in seconds.
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
    /// The date when the waiting pushes of priority 5 are delivered; nil if none waits.
    var groupEnds: Date?
    /// The dates of recent background pushes, oldest first.
    private var silent: [Date] = []

    /// Returns the reason why a push has to wait; nil if it may go.
    ///
    /// `wakes` is the device is woken anyway, `now` nil for whatever may come to hold the push back.
    func reason(against head: PushHead, wakes: Bool, _ rules: Rules, at now: Date?) -> Reason? {
        if isAsleep, head.priority == 1 || head.priority == 5 && !wakes { return .sleep }
        if head.pushType == .background, isUsedUp(rules, at: now) { return .budget }
        return nil
    }

    private func isUsedUp(_ rules: Rules, at now: Date?) -> Bool {
        guard let budget = rules.silentBudget, silent.count >= budget.pushes else { return false }
        return now.map { !silent[silent.count - budget.pushes].isOver(after: budget.interval, at: $0) } ?? true
    }

    /// Returns the date when the next background push may go; nil if it may go at any time.
    func nextSilent(_ rules: Rules) -> Date? {
        guard let budget = rules.silentBudget, silent.count >= budget.pushes else { return nil }
        return silent[silent.count - budget.pushes].addingTimeInterval(budget.interval)
    }

    /// Records a push that goes to the device.
    mutating func note(_ head: PushHead, _ rules: Rules, at now: Date) {
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

/// The largest rate of pushes for one device token, counted in intervals that begin with a push. The rule is our choice.
package struct PushPace: Hashable, Sendable {
    package var pushes: Int
    /// The length of an interval in seconds.
    package var interval: TimeInterval
}

/// The recent pushes, by the token's index.
struct PushPaceRecord: Sendable {
    private struct Count {
        var begin: Date
        var pushes = 0
    }

    /// The size beyond which ended intervals are removed.
    private static let sweepSize = 65_536

    let pace: PushPace
    private var counts: [Int: Count] = [:]

    init(_ pace: PushPace) { self.pace = pace }

    /// Counts a push, unless it exceeds the limit.
    mutating func admit(_ index: Int, at now: Date) -> Bool {
        if counts.count >= Self.sweepSize { counts = counts.filter { !isOver($0.value, now) } }
        var count = counts[index] ?? Count(begin: now)
        if isOver(count, now) { count = Count(begin: now) }
        guard count.pushes < pace.pushes else { return false }
        count.pushes += 1
        counts[index] = count
        return true
    }

    private func isOver(_ count: Count, _ now: Date) -> Bool { count.begin.isOver(after: pace.interval, at: now) }
}
