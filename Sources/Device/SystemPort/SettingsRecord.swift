/// What a person allows an app, with the raw values of Apple's types.
public struct SettingsRecord: Hashable, Sendable, Codable {
    /// As `UNAuthorizationStatus`: 0 not determined, 1 denied, 2 authorized, 3 provisional.
    public var status = 0
    /// The kinds that the app asked for, as `UNAuthorizationOptions`.
    public var requested: UInt = 0
    /// The kinds that are on, as `UNAuthorizationOptions`.
    public var allowed: UInt = 0
    public var showsOnLockScreen = true
    public var showsInNotificationCenter = true
    public var showsBanners = true
    /// Banners stay until they are touched.
    public var hasPersistentBanners = false
    /// As `UNShowPreviewsSetting`: 0 always, 1 when unlocked, 2 never.
    public var showPreviews = 0
    /// How the notification centre puts the app's entries together.
    public var grouping = Grouping.automatic
    /// The app holds the entitlement, and the person did not switch it off; nil without the entitlement.
    public var timeSensitive: Bool?
    /// Part of the scheduled summary; nil where the device has none.
    public var scheduledDelivery: Bool?
    /// Read aloud by the assistant; nil where the device cannot.
    public var announcement: Bool?
    /// Messages from people come through at once; nil where the device has no such choice.
    public var directMessages: Bool?

    /// The choice "Notification Grouping" of an app's settings.
    public enum Grouping: String, Hashable, Sendable, Codable {
        /// By thread.
        case automatic
        /// All on one stack.
        case byApp
        case off
    }

    public init() {}

    /// The value of ``status`` for provisional permission.
    public static let provisionalStatus = 3

    public static let badge: UInt = 1
    public static let sound: UInt = 2
    public static let alert: UInt = 4
    public static let carPlay: UInt = 8
    public static let criticalAlert: UInt = 16
    public static let providesAppNotificationSettings: UInt = 32
    public static let provisional: UInt = 64
    public static let announcement: UInt = 128
}
