public import Foundation

/// What to ask the person for.
open class JPUSHRegisterEntity: NSObject {
    /// The bits of ``JPAuthorizationOptions`` or `UNAuthorizationOptions`.
    open var types = 0
    /// `UNNotificationCategory` objects, before iOS 10 `UIUserNotificationCategory` objects; others are passed over.
    open var categories: Set<AnyHashable>?
}
