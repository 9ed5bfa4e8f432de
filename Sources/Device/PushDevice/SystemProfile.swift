import PushModel
import SystemPort

/// The differences between iOS generations, as data.
///
/// Sources: Apple, `UNUserNotificationCenter`, `UNNotificationSettings` and `UNNotificationCategory`, for the iOS
/// version in which each feature appeared. Values that Apple does not document, such as the limit of pending requests,
/// are explained at the property.
public struct SystemProfile: Hashable, Sendable {
    /// The version, `17.0` for example.
    public var version: String
    /// The maximum number of pending local notifications per app; a repeating one counts once.
    public var pendingLimit = 64
    /// The request that is dropped when there are too many.
    public var eviction = Eviction.latestFiring
    /// Rule R1: whether opening a running app removes its entries from the notification centre.
    public var clearsDeliveredOnActivation = false
    /// Whether an app can read back notifications delivered by a region trigger: Apple's systems list them, let apps
    /// remove them, and do not return them among the delivered ones.
    public var readsBackLocationDeliveries = false
    /// The maximum number of buttons in the expanded view.
    public var expandedActions = 10
    /// The maximum number of buttons where space is limited.
    public var compactActions = 2
    /// Whether apps may ask for provisional permission (iOS 12 and later).
    public var hasProvisionalPermission = true
    /// Whether passive, time-sensitive and critical notifications differ from active ones.
    public var hasInterruptionLevels = true
    /// Whether a Focus evaluates the `filterCriteria` of notifications.
    public var hasFocusFilters = true
    /// Whether notifications may be held for a scheduled summary.
    public var hasScheduledSummary = true
    /// The apps whose notifications the assistant can read aloud.
    public var announcements = Announcements.always
    /// Whether the notification centre groups entries by app and thread.
    public var groupsNotifications = true
    /// Whether `summaryArgument` and `summaryArgumentCount` affect a group's summary line.
    public var hasSummaryArguments = false
    /// The maximum number of silent pushes per hour that wake an app; nil for no limit. Apple says "two or three per
    /// hour".
    public var silentWakesPerHour: Int? = 3
    /// Whether apps may have Live Activities (iOS 16.1 and later).
    public var hasLiveActivities = true
    /// Whether a push may start a Live Activity (iOS 17.2 and later).
    public var startsActivitiesByPush = true
    /// Whether Live Activities may listen to broadcast channels (iOS 18 and later).
    public var hasActivityChannels = true
    /// The maximum number of Live Activity pushes of priority 10 per app and hour; nil for no limit. Apple documents a budget, and no
    /// number: 16 is our choice. Pushes of priority 5 do not count.
    public var activityPushesPerHour: Int? = 16
    /// The same for an app that the user allows frequent updates. Apple documents a higher budget, and no number: 64 is our choice.
    public var frequentActivityPushesPerHour: Int? = 64
    /// The maximum number of Live Activities per app and hour that pushes start; nil for no limit. Apple documents a budget, and no
    /// number: 10 is our choice. Starts count whatever their priority.
    public var activityStartsPerHour: Int? = 10
    /// Whether widgets may have a push handler (iOS 26 and later).
    public var takesWidgetPushes = true
    /// Whether the type and the priority of a push decide what it may do.
    public var judgesPushTypes = true
    /// Whether notifications have buttons.
    public var hasButtons = true
    /// Whether buttons may ask for text.
    public var hasTextInput = true
    /// Whether `UserNotifications` is available: the centre's delegate is called, and apps may have service and content
    /// extensions.
    public var hasNotificationCenter = true
    /// Whether a content extension may get the touches on its view (iOS 12 and later).
    public var contentExtensionsGetTouches = true
    /// Whether a push has a title (iOS 8.2 and later).
    public var hasTitles = true
    /// Whether the sound of a push may be an object (iOS 12 and later). Apple does not document what earlier ones do: no sound is our choice.
    public var hasSoundObjects = true
    /// Whether local notifications need the user's permission, as pushes do.
    public var asksForLocalNotifications = true
    /// Whether apps may have scenes; before iOS 13 app delegates receive all life cycle events.
    public var hasScenes = true
    /// Whether an app built with the SDK of iOS 27 or later has to adopt the scene-based life cycle to be launched (iOS 27 and later).
    public var requiresScenes = false
    /// The battery level, 0 to 1.
    public var batteryLevel: Float = 1
    /// Whether the device is charging.
    public var isCharging = false
    /// The device's orientation, as `UIDeviceOrientation`: 1 is portrait, 3 landscape left.
    public var orientation = 1

    /// The pending request that is discarded when an app schedules more than the limit.
    public enum Eviction: Hashable, Sendable {
        /// Keeps the soonest to fire.
        case latestFiring
        /// Keeps the last to be added.
        case oldestAdded
    }

    /// The apps that the user may let the assistant read aloud.
    public enum Announcements: Hashable, Sendable {
        case never
        /// Apps that asked with `.announcement`.
        case onRequest
        case always
    }

    /// Creates the profile of an iOS version, such as `17.0`.
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
        // Source: Apple, "Customizing the Appearance of Notifications": UNNotificationExtensionUserInteractionEnabled.
        contentExtensionsGetTouches = major >= 12
        hasScenes = major >= 13
        // Source: Apple, "Transitioning to the UIKit scene-based life cycle".
        requiresScenes = major >= 27
        // Source: Apple, "Sending notification requests to APNs", of apns-push-type: ignored before iOS 13.
        judgesPushTypes = major >= 13
        // Source: Apple, "ActivityKit" and "Starting and updating Live Activities with ActivityKit push notifications".
        hasLiveActivities = isAtLeast(16, 1)
        startsActivitiesByPush = isAtLeast(17, 2)
        hasActivityChannels = isAtLeast(18, 0)
        // Source: Apple, `WidgetPushHandler`.
        takesWidgetPushes = major >= 26
        hasNotificationCenter = major >= 10
        // Source: Apple, `UILocalNotification.alertTitle` and `UNNotificationSound.criticalSoundNamed(_:)`.
        hasTitles = isAtLeast(8, 2)
        hasSoundObjects = major >= 12
        hasTextInput = major >= 9
        hasButtons = major >= 8
        asksForLocalNotifications = major >= 8
    }

    /// The major version, `17` for example; 17 if the version does not begin with a number.
    package var major: Int { SystemVersion(version).major }

    /// Whether the version is this one or a later one; the number after the first period counts as 0 if there is none.
    func isAtLeast(_ major: Int, _ minor: Int) -> Bool { SystemVersion(version).isAtLeast(major, minor) }

    /// The reason why a notification is not shown while its app is in the foreground, and does not ask for it.
    var foregroundReason: SuppressionReason { hasNotificationCenter ? .foreground : .foregroundLegacy }

    /// The major versions of iOS with a profile of their own: the number after 18 is 26.
    public static let majors = Array(7...18) + [26, 27]

    /// The versions that differ in something: the first of each major version, and 26.4, whose PushKit tells apps whether a call is due.
    package static let releases = majors.flatMap { $0 == 26 ? ["26.0", "26.4"] : ["\($0).0"] }

    /// The versions that exist, in words.
    package static let versions = "a version of iOS from 7 to 18, 26 or 27, such as 26.4"

    /// Whether a text is one of ``versions``.
    package static func exists(_ version: String) -> Bool {
        let numbers = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        return (1...3).contains(numbers.count) && !numbers.contains(nil) && majors.contains(numbers[0] ?? 0)
    }

    /// Returns the profile of an iOS by its number, one of ``majors``.
    public static func iOS(_ major: Int) -> SystemProfile { SystemProfile(version: "\(major).0") }
}
