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
