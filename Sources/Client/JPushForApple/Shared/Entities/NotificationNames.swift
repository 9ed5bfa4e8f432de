#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation

// Posted on the main thread to `NotificationCenter.default`, which all apps of a Linux process share. The raw value is
// the constant's name in the SDK's header, as apps also observe the literal.
extension NSNotification.Name {
    /// The SDK connects with the service.
    public static let jpfNetworkIsConnecting = Self("kJPFNetworkIsConnectingNotification")
    /// The service has answered.
    public static let jpfNetworkDidSetup = Self("kJPFNetworkDidSetupNotification")
    /// The link ended. Never posted over HTTPS.
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

#endif
