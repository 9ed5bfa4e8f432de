public import Foundation

/// What to ask the person for.
open class JPUSHRegisterEntity: NSObject {
    /// The bits of ``JPAuthorizationOptions`` or `UNAuthorizationOptions`.
    open var types = 0
    /// `UNNotificationCategory` objects; others are passed over.
    open var categories: Set<AnyHashable>?
}
