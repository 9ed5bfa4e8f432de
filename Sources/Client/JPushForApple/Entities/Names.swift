#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

#if !canImport(ObjectiveC)
import UIKit

/// UIKit's placeholder for Objective-C's selectors, for sources that import this module alone.
public typealias Selector = UIKit.Selector
/// The name of `Int` in Objective-C, as sources of SDK users write it.
public typealias NSInteger = Int
/// The name of `UInt` in Objective-C, as sources of SDK users write it.
public typealias NSUInteger = UInt
#endif

// Posted on the main thread. The raw value is the constant's name in the SDK's header, as apps also observe the literal.
extension NSNotification.Name {
    /// The SDK connects with the service.
    public static let jpfNetworkIsConnecting = Self("kJPFNetworkIsConnectingNotification")
    /// The service has answered.
    public static let jpfNetworkDidSetup = Self("kJPFNetworkDidSetupNotification")
    /// The connection ended. Never posted: there is none to keep.
    public static let jpfNetworkDidClose = Self("kJPFNetworkDidCloseNotification")
    /// The device was registered for the first time; `userInfo` is `["RegistrationID": String]`.
    public static let jpfNetworkDidRegister = Self("kJPFNetworkDidRegisterNotification")
    /// The service refused the app.
    public static let jpfNetworkFailedRegister = Self("kJPFNetworkFailedRegisterNotification")
    /// ``JPUSHService/registrationID()`` is valid from here on.
    public static let jpfNetworkDidLogin = Self("kJPFNetworkDidLoginNotification")
    /// A custom message arrived; `userInfo` has `content`, `_j_msgid` as text, and if sent `title`, `extras` and `content_type`.
    public static let jpfNetworkDidReceiveMessage = Self("kJPFNetworkDidReceiveMessageNotification")
    /// An error occurred; `userInfo` is `["error": String]`.
    public static let jpfServiceError = Self("kJPFServiceErrorNotification")
}

/// The result code, the tags of the call, and its `seq`.
public typealias JPUSHTagsOperationCompletion = (_ iResCode: Int, _ iTags: Set<AnyHashable>?, _ seq: Int) -> Void

/// The result code, the tag, `seq`, and whether the device has the tag.
public typealias JPUSHTagValidOperationCompletion = (
    _ iResCode: Int, _ iTags: Set<AnyHashable>?, _ seq: Int, _ isBind: Bool
) -> Void

/// The result code, the alias and the `seq` of the call.
public typealias JPUSHAliasOperationCompletion = (_ iResCode: Int, _ iAlias: String?, _ seq: Int) -> Void

/// The result code, the properties and the `seq` of the call.
public typealias JPUSHPropertiesOperationCompletion = (
    _ iResCode: Int, _ properties: [AnyHashable: Any]?, _ seq: Int
) -> Void

/// The result code, the activity, its token and the `seq` of the call.
public typealias JPUSHLiveActivityTokenCompletion = (
    _ iResCode: Int, _ iLiveActivityId: String?, _ pushToken: Data?, _ seq: Int
) -> Void

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

#endif
