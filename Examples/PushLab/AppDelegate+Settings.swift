import Foundation
import UIKit
import UserNotifications

#if canImport(JPush)
import JPush
#endif

// What the user has allowed, and the badge.

extension AppDelegate {
    /// Adds a log line with the user's settings for this app, in the words of the API.
    public func readSettings() async {
        switch Generation.current {
        case .center:
            let settings = await UNUserNotificationCenter.current().notificationSettings()
            log.add("notificationSettings", SettingsText.describe(settings))
        case .settings:
            let types = UIApplication.shared.currentUserNotificationSettings?.types ?? []
            log.add("currentUserNotificationSettings", "types \(types.rawValue)")
        case .types:
            log.add(
                "enabledRemoteNotificationTypes",
                "\(UIApplication.shared.enabledRemoteNotificationTypes().rawValue)"
            )
        }
    }

    /// Sets the badge to 0, here and at the service, once the user has opened the app.
    ///
    /// From another value than 0 this also removes the app's entries in the Notification Centre.
    func clearBadge(_ application: UIApplication) {
        guard application.applicationIconBadgeNumber != 0 else { return }
        application.applicationIconBadgeNumber = 0
        JPUSHService.resetBadge()
    }
}
