import Foundation
import SystemPort

/// The centre's delegate of one process of an app, held weakly.
///
/// `@unchecked Sendable`: an app's delegate need not be Sendable; the reference is read and written under the lock, and
/// the delegate is called on the main thread only.
package final class DelegateSlot: PortSlot, @unchecked Sendable {
    private let lock = NSLock()
    private weak var current: (any UNUserNotificationCenterDelegate)?
    private weak var atLaunch: (any UNUserNotificationCenterDelegate)?
    private var isLaunching = false

    package init() {}

    package var delegate: (any UNUserNotificationCenterDelegate)? {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }

    /// The delegate that receives a response: for the one that launches the app, the delegate set by the launch itself.
    ///
    /// A delegate that is set by something the launch has only started, such as `DispatchQueue.main.async`, is too late for it.
    /// Source: Apple, `UNUserNotificationCenterDelegate`; deltachat-ios PR #2672.
    var responder: (any UNUserNotificationCenterDelegate)? { lock.withLock { isLaunching ? atLaunch : current } }

    /// Runs a step of the launch: creates the app's delegate and its scene.
    package func launch(_ step: () -> Void) {
        let before = delegate
        step()
        lock.withLock {
            if !isLaunching || current !== before { atLaunch = current }
            isLaunching = true
        }
    }

    /// Notes that the launch is over.
    package func launched() { lock.withLock { isLaunching = false } }
}
