import Foundation
import PushClock
package import PushModel
import SystemPort
package import UIKit

/// The requests that an app of the matrix makes: permission, categories, and a local notification that is due in a minute.
///
/// The caller binds the app's port.
@MainActor
package enum MatrixRequests {
    /// The title, or the body before iOS 10, of the local notification.
    package static let localText = "Local"

    // MARK: Since iOS 10

    package static func askPermission() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
    }

    /// Two categories with the same buttons: `quiet`, and `hears`, which also reports that it was dismissed.
    ///
    /// - Parameter prefix: the beginning of their identifiers.
    /// - Returns: the categories.
    package static func categories(prefix: String = "") -> Set<UNNotificationCategory> {
        let actions = [
            UNNotificationAction(identifier: "later", title: "Later"),
            UNNotificationAction(identifier: "show", title: "Show", options: .foreground),
            UNTextInputNotificationAction(identifier: "answer", title: "Answer", options: []),
        ]
        return [
            UNNotificationCategory(identifier: "\(prefix)quiet", actions: actions, intentIdentifiers: []),
            UNNotificationCategory(
                identifier: "\(prefix)hears",
                actions: actions,
                intentIdentifiers: [],
                options: .customDismissAction
            ),
        ]
    }

    /// Schedules the local notification.
    ///
    /// - Parameters:
    ///   - category: its category.
    ///   - hasSound: whether it plays the default sound.
    ///   - userInfo: its `userInfo`.
    package static func schedule(_ category: String, hasSound: Bool = false, userInfo: JSONObject = [:]) {
        let content = UNMutableNotificationContent()
        content.title = localText
        content.badge = 1
        content.categoryIdentifier = category
        if hasSound { content.sound = .default }
        content.userInfo = userInfo.foundation
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: "later", content: content, trigger: trigger)
        )
    }

    // MARK: Before iOS 10

    /// Registers for notifications as iOS 7 does, which has neither settings nor categories, or as iOS 8 and 9 do.
    ///
    /// - Parameter prefix: the beginning of the category's identifier.
    package static func registerLegacySettings(prefix: String = "") {
        guard CurrentPort.facts.systemMajor >= 8 else {
            return UIApplication.shared.registerForRemoteNotifications(matching: [.alert, .badge, .sound])
        }
        let others = UIApplication.shared.currentUserNotificationSettings?.categories ?? []
        let settings = UIUserNotificationSettings(
            types: [.alert, .badge, .sound],
            categories: others.union([legacyCategory("\(prefix)quiet")])
        )
        UIApplication.shared.registerUserNotificationSettings(settings)
    }

    package static func scheduleLegacy(_ category: String, hasSound: Bool = false, userInfo: JSONObject = [:]) {
        let notification = UILocalNotification()
        notification.alertBody = localText
        notification.applicationIconBadgeNumber = 1
        if hasSound { notification.soundName = UILocalNotificationDefaultSoundName }
        if CurrentPort.facts.systemMajor >= 8 { notification.category = category }
        notification.userInfo = userInfo.foundation
        notification.fireDate = CurrentPort.clock.date.addingTimeInterval(60)
        UIApplication.shared.scheduleLocalNotification(notification)
    }

    private static func legacyCategory(_ identifier: String) -> UIUserNotificationCategory {
        func action(_ identifier: String, _ mode: UIUserNotificationActivationMode) -> UIMutableUserNotificationAction {
            let action = UIMutableUserNotificationAction()
            action.identifier = identifier
            action.title = identifier.capitalized
            action.activationMode = mode
            return action
        }
        let answer = action("answer", .background)
        if CurrentPort.facts.systemMajor >= 9 { answer.behavior = .textInput }
        let category = UIMutableUserNotificationCategory()
        category.identifier = identifier
        category.setActions([action("later", .background), action("show", .foreground), answer], for: .default)
        return category
    }
}
