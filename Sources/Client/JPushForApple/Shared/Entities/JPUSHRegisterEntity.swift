#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation

#if canImport(ObjectiveC)
@objc(JPUSHRegisterEntity) @objcMembers
#endif
/// The permissions and categories to request.
open class JPUSHRegisterEntity: NSObject {
    /// The bits of ``JPAuthorizationOptions`` or `UNAuthorizationOptions`.
    open var types = 0
    /// `UNNotificationCategory` objects, before iOS 10 `UIUserNotificationCategory` objects; others are ignored.
    open var categories: Set<AnyHashable>?
}

#endif
