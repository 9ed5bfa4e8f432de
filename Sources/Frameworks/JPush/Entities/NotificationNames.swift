public import Foundation

// Posted on the main thread to `NotificationCenter.default`, which all apps of a Linux process share. The raw value is
// the constant's own name in the SDK's header: apps observe with the literal too.
extension NSNotification.Name {
    /// The SDK opens its link.
    public static let jpfNetworkIsConnecting = Self("kJPFNetworkIsConnectingNotification")
    /// The link is open.
    public static let jpfNetworkDidSetup = Self("kJPFNetworkDidSetupNotification")
    /// The link ended.
    public static let jpfNetworkDidClose = Self("kJPFNetworkDidCloseNotification")
    /// The device was registered for the first time; `userInfo` is `["RegistrationID": String]`.
    public static let jpfNetworkDidRegister = Self("kJPFNetworkDidRegisterNotification")
    /// The service refused the app.
    public static let jpfNetworkFailedRegister = Self("kJPFNetworkFailedRegisterNotification")
    /// ``JPUSHService/registrationID()`` is valid from here on.
    public static let jpfNetworkDidLogin = Self("kJPFNetworkDidLoginNotification")
    /// A custom message came; `userInfo` has `content`, and where they were sent `title`, `extras` (`[String: Any]`) and
    /// `content_type`; `_j_msgid` is a `String`.
    public static let jpfNetworkDidReceiveMessage = Self("kJPFNetworkDidReceiveMessageNotification")
    /// Something went wrong; `userInfo` is `["error": String]`.
    public static let jpfServiceError = Self("kJPFServiceErrorNotification")
}
