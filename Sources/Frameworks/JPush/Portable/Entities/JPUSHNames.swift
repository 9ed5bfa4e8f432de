#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation

#if !canImport(ObjectiveC)
public import UIKit
#endif

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

#if canImport(ObjectiveC)
/// The tags of a call as Objective-C gives them, whatever is in the set: one that is no text must not end the app.
public typealias _Tags = Set<AnyHashable>
/// An alias, a tag or a number of a call, whatever it is: see ``_Tags``.
public typealias _Text = Any
#else
/// The tags of a call.
public typealias _Tags = Set<String>
/// An alias, a tag or a number of a call.
public typealias _Text = String
#endif

// Posted on the main thread to `NotificationCenter.default`, which all apps of a Linux process share. The raw value is
// the constant's name in the SDK's header, as apps also observe the literal.
extension NSNotification.Name {
    /// The SDK connects with the service.
    public static let jpfNetworkIsConnecting = Self("kJPFNetworkIsConnectingNotification")
    /// The service has answered.
    public static let jpfNetworkDidSetup = Self("kJPFNetworkDidSetupNotification")
    /// The link has ended, or a call has failed after others had succeeded.
    public static let jpfNetworkDidClose = Self("kJPFNetworkDidCloseNotification")
    /// The device was registered for the first time; `userInfo` is `["RegistrationID": String]`.
    public static let jpfNetworkDidRegister = Self("kJPFNetworkDidRegisterNotification")
    /// The service refused the app.
    public static let jpfNetworkFailedRegister = Self("kJPFNetworkFailedRegisterNotification")
    /// ``JPUSHService/registrationID()`` is valid from here on.
    public static let jpfNetworkDidLogin = Self("kJPFNetworkDidLoginNotification")
    /// A custom message arrived; `userInfo` has `content`, and if sent `title`, `extras` (`[String: Any]`) and
    /// `content_type`; `_j_msgid` is a `String`.
    public static let jpfNetworkDidReceiveMessage = Self("kJPFNetworkDidReceiveMessageNotification")
    /// An error occurred; `userInfo` is `["error": String]`.
    public static let jpfServiceError = Self("kJPFServiceErrorNotification")
}

#if !canImport(ObjectiveC)
/// UIKit's placeholder for Objective-C's selectors, for sources that import this module alone.
public typealias Selector = UIKit.Selector

/// The name of `Int` in Objective-C, as sources of SDK users write it.
public typealias NSInteger = Int
/// The name of `UInt` in Objective-C, as sources of SDK users write it.
public typealias NSUInteger = UInt
#endif

#endif
