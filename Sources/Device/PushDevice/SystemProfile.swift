/// How one generation of iOS differs from the others, as data.
///
/// Sources: Apple, `UNUserNotificationCenter`, `UNNotificationSettings` and `UNNotificationCategory`: in which version of
/// iOS what appeared. What Apple does not say, such as how many requests may wait, is said at the property.
public struct SystemProfile: Hashable, Sendable {
    /// `17.0`, for example.
    public var version: String
    /// Pending local notifications that an app may have; a repeating one counts once.
    public var pendingLimit = 64
    /// Which request goes when there are too many.
    public var eviction = Eviction.latestFiring
    /// Rule R1: an app's entries leave the notification centre when it is opened while it runs.
    public var clearsDeliveredOnActivation = false
    /// Whether an app can read back what the crossing of a region brought: Apple's systems list it, let apps remove it, and
    /// do not name it among the delivered ones.
    public var readsBackLocationDeliveries = false
    /// Buttons in the expanded view.
    public var expandedActions = 10
    /// Buttons where there is little room.
    public var compactActions = 2
    public var hasProvisionalPermission = true
    /// Passive, time-sensitive and critical notifications differ from active ones.
    public var hasInterruptionLevels = true
    /// A Focus asks for the `filterCriteria` of what apps show.
    public var hasFocusFilters = true
    /// What can wait may wait for times of the day.
    public var hasScheduledSummary = true
    /// Which apps' notifications the assistant can read aloud.
    public var announcements = Announcements.always
    /// The notification centre puts entries together by app and thread.
    public var groupsNotifications = true
    /// `summaryArgument` and `summaryArgumentCount` speak in a group's line.
    public var hasSummaryArguments = false
    /// Background wakes by silent pushes that an app has in an hour; nil for no limit. Apple says "two or three per hour".
    public var silentWakesPerHour: Int? = 3
    /// Notifications have buttons.
    public var hasButtons = true
    /// Buttons may ask for text.
    public var hasTextInput = true
    /// `UserNotifications` is there: the centre's delegate is called, and apps may have service and content extensions.
    public var hasNotificationCenter = true
    /// Local notifications need the person's permission, as pushes do.
    public var asksForLocalNotifications = true
    /// Apps may have scenes; before iOS 13 their app delegates hear of the whole life.
    public var hasScenes = true
    /// 0 to 1.
    public var batteryLevel: Float = 1
    public var isCharging = false
    /// How the device is held, as `UIDeviceOrientation`: 1 is portrait, 3 landscape left.
    public var orientation = 1

    public enum Eviction: Hashable, Sendable {
        /// The soonest to fire stay.
        case latestFiring
        /// The last to be added stay.
        case oldestAdded
    }

    /// Which apps the person may let the assistant read aloud.
    public enum Announcements: Hashable, Sendable {
        case never
        /// Those that asked with `.announcement`.
        case onRequest
        case always
    }

    public init(version: String) {
        self.version = version
        clearsDeliveredOnActivation = major == 10
        // openradar 38065340.
        eviction = major == 11 ? .oldestAdded : .latestFiring
        expandedActions = major <= 11 ? 4 : 10
        hasProvisionalPermission = major >= 12
        hasInterruptionLevels = major >= 15
        hasFocusFilters = major >= 16
        hasScheduledSummary = major >= 15
        // Source: Apple, "announcement": always included since iOS 15.
        announcements = major >= 15 ? .always : major >= 13 ? .onRequest : .never
        groupsNotifications = major >= 12
        // Source: Apple, "summaryArgument": ignored since iOS 15.
        hasSummaryArguments = (12...14).contains(major)
        hasScenes = major >= 13
        hasNotificationCenter = major >= 10
        hasTextInput = major >= 9
        hasButtons = major >= 8
        asksForLocalNotifications = major >= 8
    }

    /// `17`, for example; 17 where the version does not begin with a number.
    var major: Int { version.split(separator: ".").first.flatMap { Int($0) } ?? 17 }

    /// An iOS by its number: 7 to 18.
    public static func iOS(_ major: Int) -> SystemProfile { SystemProfile(version: "\(major).0") }
}
