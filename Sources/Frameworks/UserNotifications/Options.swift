/// The permissions that an app requests. Raw values: Apple, `UNAuthorizationOptions`.
public struct UNAuthorizationOptions: OptionSet, Sendable {
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
    /// Sounds despite the mute switch and a Focus; Apple grants an entitlement for it.
    public static let criticalAlert = Self(rawValue: 16)
    /// A button in the system's settings that opens the app's own.
    public static let providesAppNotificationSettings = Self(rawValue: 32)
    /// Quiet delivery without asking the user.
    public static let provisional = Self(rawValue: 64)
    /// Reading aloud; since iOS 15 without effect.
    @available(*, deprecated, message: "Announcement is always included")
    public static let announcement = Self(rawValue: 128)
    /// The level time sensitive, by an option of iOS 15's first betas; without effect.
    @available(*, deprecated, message: "Use the time-sensitive entitlement")
    public static let timeSensitive = Self(rawValue: 256)
}

/// The presentation of a notification in the foreground. Raw values: Apple, `UNNotificationPresentationOptions`.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Set the number on the icon.
    public static let badge = Self(rawValue: 1)
    /// Play the sound.
    public static let sound = Self(rawValue: 2)
    /// Banner and list; deprecated by Apple since iOS 14.
    public static let alert = Self(rawValue: 4)
    /// Keep it in the notification centre.
    public static let list = Self(rawValue: 8)
    /// Show a banner.
    public static let banner = Self(rawValue: 16)
}

/// The permission of an app.
public enum UNAuthorizationStatus: Int, Sendable {
    /// The user was not asked.
    case notDetermined = 0
    /// The user has denied it.
    case denied = 1
    /// The user has allowed it.
    case authorized = 2
    /// Quiet delivery, without a question.
    case provisional = 3
    /// For a limited time, in an App Clip. It never occurs here.
    case ephemeral = 4
}

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

/// How much a notification may interrupt.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Only in the list, without light and sound.
    case passive = 0
    /// As usual.
    case active = 1
    /// At once, also in a Focus that allows it.
    case timeSensitive = 2
    /// At once, with its sound despite the mute switch.
    case critical = 3
}

/// The user tapped the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The user cleared the notification, and its category has `customDismissAction`.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
