import Foundation
package import SystemPort

/// The centre's delegate of one process of an app, held weakly.
///
/// `@unchecked Sendable`: an app's delegate need not be Sendable; the reference is read and written under the lock, and
/// the delegate is called on the main thread only.
package final class DelegateSlot: @unchecked Sendable {
    private let lock = NSLock()
    private weak var current: (any UNUserNotificationCenterDelegate)?

    package static func of(_ port: any SystemPort) -> DelegateSlot { port.slots.slot { DelegateSlot() } }

    package var delegate: (any UNUserNotificationCenterDelegate)? {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }
}
