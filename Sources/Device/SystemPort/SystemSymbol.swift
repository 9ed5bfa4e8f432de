/// A class or method of Apple's frameworks that some emulated system does not have yet.
///
/// On a system without it, using it ends the app with its name, as on a device. Source: Apple, the availability of each symbol. Values
/// that are only data, such as options, strings and delegate methods, are not listed: an older system ignores them.
package enum SystemSymbol: String, CaseIterable, Sendable {
    // iOS 8
    case settings = "UIUserNotificationSettings"
    case mutableAction = "UIMutableUserNotificationAction"
    case mutableCategory = "UIMutableUserNotificationCategory"
    case alertController = "UIAlertController"
    case pushRegistry = "PKPushRegistry"
    case registerSettings = "-[UIApplication registerUserNotificationSettings:]"
    case currentSettings = "-[UIApplication currentUserNotificationSettings]"
    case register = "-[UIApplication registerForRemoteNotifications]"
    case isRegistered = "-[UIApplication isRegisteredForRemoteNotifications]"
    case region = "-[UILocalNotification region]"
    case setRegion = "-[UILocalNotification setRegion:]"
    case regionTriggersOnce = "-[UILocalNotification regionTriggersOnce]"
    case setRegionTriggersOnce = "-[UILocalNotification setRegionTriggersOnce:]"
    case category = "-[UILocalNotification category]"
    case setCategory = "-[UILocalNotification setCategory:]"
    case requestWhenInUse = "-[CLLocationManager requestWhenInUseAuthorization]"
    case requestAlways = "-[CLLocationManager requestAlwaysAuthorization]"
    case startVisits = "-[CLLocationManager startMonitoringVisits]"
    // iOS 8.2
    case alertTitle = "-[UILocalNotification alertTitle]"
    case setAlertTitle = "-[UILocalNotification setAlertTitle:]"
    // iOS 9
    case shortcutItem = "UIApplicationShortcutItem"
    case setBehavior = "-[UIMutableUserNotificationAction setBehavior:]"
    case setParameters = "-[UIMutableUserNotificationAction setParameters:]"
    case requestLocation = "-[CLLocationManager requestLocation]"
    // iOS 10
    case notificationCenter = "UNUserNotificationCenter"
    case content = "UNNotificationContent"
    case mutableContent = "UNMutableNotificationContent"
    case intervalTrigger = "UNTimeIntervalNotificationTrigger"
    case calendarTrigger = "UNCalendarNotificationTrigger"
    case locationTrigger = "UNLocationNotificationTrigger"
    case action = "UNNotificationAction"
    case notificationCategory = "UNNotificationCategory"
    case sound = "UNNotificationSound"
    case attachment = "UNNotificationAttachment"
    case callProvider = "CXProvider"
    case callController = "CXCallController"
    case openURL = "-[UIApplication openURL:options:completionHandler:]"
    // iOS 17.4, in Swift
    case conversationManager = "$s20LiveCommunicationKit19ConversationManagerCMa"
    // iOS 16
    case setBadgeCount = "-[UNUserNotificationCenter setBadgeCount:withCompletionHandler:]"

    /// The version of iOS that it came with.
    private var introduced: (major: Int, minor: Int) {
        switch self {
        case .settings, .mutableAction, .mutableCategory, .alertController, .pushRegistry, .registerSettings,
            .currentSettings, .register, .isRegistered, .region, .setRegion, .regionTriggersOnce,
            .setRegionTriggersOnce, .category, .setCategory, .requestWhenInUse, .requestAlways, .startVisits:
            (8, 0)
        case .alertTitle, .setAlertTitle: (8, 2)
        case .shortcutItem, .setBehavior, .setParameters, .requestLocation: (9, 0)
        case .notificationCenter, .content, .mutableContent, .intervalTrigger, .calendarTrigger, .locationTrigger,
            .action, .notificationCategory, .sound, .attachment, .callProvider, .callController, .openURL:
            (10, 0)
        case .setBadgeCount: (16, 0)
        case .conversationManager: (17, 4)
        }
    }

    /// Whether the running app's system has it; always true outside of an app's callbacks and of what they start, because values may be
    /// created there for any system.
    package var exists: Bool {
        guard let facts = CurrentPort.bound?.facts else { return true }
        return SystemVersion(facts.systemVersion).isAtLeast(introduced.major, introduced.minor)
    }

    /// Ends the app if its system does not have it (``RaisedException``).
    ///
    /// - Returns: ``exists``.
    @discardableResult
    package func require() -> Bool {
        if exists { return true }
        let version = "iOS \(introduced.major).\(introduced.minor)"
        let advice = """
            it came with \(version), and this is iOS \(CurrentPort.ifKnown.facts.systemVersion): compare \
            UIDevice.current.systemVersion first, because #available is always true here
            """
        if rawValue.hasPrefix("-") {
            RaisedException.raise(
                "\(rawValue): unrecognized selector sent to instance; \(advice)",
                name: "NSInvalidArgumentException"
            )
        } else {
            let symbol = rawValue.hasPrefix("$") ? "_\(rawValue)" : "_OBJC_CLASS_$_\(rawValue)"
            RaisedException.raise("Symbol not found: \(symbol); \(advice)", name: "DYLD")
        }
        return false
    }
}
