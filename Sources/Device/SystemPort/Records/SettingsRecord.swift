/// The user's settings for an app, with the raw values of Apple's types.
public struct SettingsRecord: Hashable, Sendable, Codable {
    /// The `UNAuthorizationStatus`: 0 not determined, 1 denied, 2 authorized, 3 provisional.
    public var status = 0
    /// The options that the app requested, as `UNAuthorizationOptions`.
    public var requested: UInt = 0
    /// The options that are on, as `UNAuthorizationOptions`.
    public var allowed: UInt = 0
    /// Whether notifications appear on the lock screen.
    public var showsOnLockScreen = true
    /// Whether notifications stay in the notification centre.
    public var showsInNotificationCenter = true
    /// Whether banners are shown.
    public var showsBanners = true
    /// Whether banners stay until they are touched.
    public var hasPersistentBanners = false
    /// The `UNShowPreviewsSetting`: 0 always, 1 when unlocked, 2 never.
    public var showPreviews = 0
    /// The grouping of the app's entries in the notification centre.
    public var grouping = Grouping.automatic
    /// Whether time-sensitive notifications are on, for an app with the entitlement; nil without it.
    public var timeSensitive: Bool?
    /// Whether the app is part of the scheduled summary; nil if the device has none.
    public var scheduledDelivery: Bool?
    /// Whether the assistant reads notifications aloud; nil if the device cannot.
    public var announcement: Bool?
    /// Whether messages from people are delivered at once; nil if the device has no such choice.
    public var directMessages: Bool?

    /// The choice "Notification Grouping" of an app's settings.
    public enum Grouping: String, Hashable, Sendable, Codable {
        /// By thread.
        case automatic
        /// All in one stack.
        case byApp
        /// Not at all.
        case off
    }

    /// The values of `UNAuthorizationStatus` that a device gives.
    package enum Authorization: Int, Sendable { case notDetermined, denied, authorized, provisional }

    /// The values of `UNShowPreviewsSetting`, in their order.
    package enum Previews: String, Hashable, Sendable, Codable, CaseIterable { case always, whenUnlocked, never }

    /// Creates the settings of an app that has not asked for permission.
    public init() {}

    /// The permission; a ``status`` that no device gives counts as authorized.
    package var authorization: Authorization {
        get { Authorization(rawValue: status) ?? .authorized }
        set { status = newValue.rawValue }
    }

    /// The time at which previews are shown; ``showPreviews`` with another value counts as always.
    package var previews: Previews {
        get { Previews.allCases.indices.contains(showPreviews) ? Previews.allCases[showPreviews] : .always }
        set { showPreviews = Previews.allCases.firstIndex(of: newValue) ?? 0 }
    }

    /// The value of ``status`` for provisional permission.
    public static let provisionalStatus = 3

    /// `UNAuthorizationOptions.badge`.
    public static let badge: UInt = 1
    /// `UNAuthorizationOptions.sound`.
    public static let sound: UInt = 2
    /// `UNAuthorizationOptions.alert`.
    public static let alert: UInt = 4
    /// `UNAuthorizationOptions.carPlay`.
    public static let carPlay: UInt = 8
    /// `UNAuthorizationOptions.criticalAlert`.
    public static let criticalAlert: UInt = 16
    /// `UNAuthorizationOptions.providesAppNotificationSettings`.
    public static let providesAppNotificationSettings: UInt = 32
    /// `UNAuthorizationOptions.provisional`.
    public static let provisional: UInt = 64
    /// `UNAuthorizationOptions.announcement`.
    public static let announcement: UInt = 128
}
