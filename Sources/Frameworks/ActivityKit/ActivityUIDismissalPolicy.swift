public import Foundation
import SystemPort

/// The time at which a Live Activity that has ended leaves the lock screen.
@available(iOS 16.1, *)
public struct ActivityUIDismissalPolicy: Hashable, Sendable {
    let dismissal: LiveActivityDismissal

    /// Four hours after its end, unless a person removes it before.
    public static let `default` = ActivityUIDismissalPolicy(dismissal: .automatic)
    /// At once.
    public static let immediate = ActivityUIDismissalPolicy(dismissal: .immediate)

    /// At a time of the app's choice, and four hours after its end at the latest.
    public static func after(_ date: Date) -> ActivityUIDismissalPolicy {
        ActivityUIDismissalPolicy(dismissal: .after(date))
    }
}
