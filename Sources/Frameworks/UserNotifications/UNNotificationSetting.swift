/// The state of one setting.
public enum UNNotificationSetting: Int, Sendable {
    /// The device or the app has no such setting.
    case notSupported = 0
    /// Off.
    case disabled = 1
    /// On.
    case enabled = 2
}

/// How alerts appear.
public enum UNAlertStyle: Int, Sendable {
    /// Not at all.
    case none = 0
    /// As banners that leave by themselves.
    case banner = 1
    /// As banners that stay until they are touched.
    case alert = 2
}

/// When the text of notifications is shown.
public enum UNShowPreviewsSetting: Int, Sendable {
    /// On the locked device too.
    case always = 0
    /// While the device is unlocked.
    case whenAuthenticated = 1
    /// Never.
    case never = 2
}
