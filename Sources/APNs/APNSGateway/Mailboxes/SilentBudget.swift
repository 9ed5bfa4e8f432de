package import Foundation

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
