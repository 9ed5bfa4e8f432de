#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation

/// The permissions that an app requests; the raw values are those of `UNAuthorizationOptions`.
public struct JPAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Numbers on the icon.
    public static let badge = Self(rawValue: 1)
    /// Sounds.
    public static let sound = Self(rawValue: 2)
    /// Banners and alerts.
    public static let alert = Self(rawValue: 4)
    /// Notifications in the car.
    public static let carPlay = Self(rawValue: 8)
    /// Sounds despite the mute switch; Apple grants an entitlement for it.
    public static let criticalAlert = Self(rawValue: 16)
    /// A button in the system's settings that opens the app's own.
    public static let providesAppNotificationSettings = Self(rawValue: 32)
    /// Quiet delivery without asking the user.
    public static let provisional = Self(rawValue: 64)
    /// Reading aloud.
    public static let announcement = Self(rawValue: 128)
}

#if canImport(ObjectiveC)
@objc(JPAuthorizationStatus)
#endif
/// The user's decision. The names are those that the Swift importer generates from the SDK's header.
public enum JPAuthorizationStatus: UInt, Sendable {
    /// The user was not asked.
    case notDetermined = 0
    /// The user has denied it.
    case statusDenied = 1
    /// The user has allowed it.
    case statusAuthorized = 2
    /// Quiet delivery, without a question.
    case statusProvisional = 3
}

#if canImport(ObjectiveC)
@objc(JGInforCollectionAuth)
#endif
/// The user's consent to the collection of data. It has no effect: Posthorn collects none.
open class JGInforCollectionAuth: NSObject {
    #if canImport(ObjectiveC)
    @objc(JCollectionAuth:)
    #endif
    /// Asks the app at once for the user's consent.
    public class func jCollectionAuth(_ authBlock: ((_ authInfo: JGInforCollectionAuthItems) -> Void)!) {
        authBlock?(JGInforCollectionAuthItems())
    }
}

#if canImport(ObjectiveC)
@objc(JGInforCollectionAuthItems) @objcMembers
#endif
/// The user's consents.
open class JGInforCollectionAuthItems: NSObject {
    /// Whether data may be collected.
    open var isAuth = true
}

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
