import Foundation
import PushClock
import SystemPort
import UIKit

/// An app of iOS 7 to 9, with the permission, category and local notification APIs from before `UNUserNotificationCenter`.
package final class LegacyMatrixApp: MatrixApp {
    package override func register() {
        guard plan.asksPermission else { return }
        // iOS 7 has neither settings nor categories.
        guard CurrentPort.find().facts.systemMajor >= 8 else {
            return UIApplication.shared.registerForRemoteNotifications(matching: [.alert, .badge, .sound])
        }
        let settings = UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: Self.legacyCategories)
        UIApplication.shared.registerUserNotificationSettings(settings)
    }

    package override func schedule(_ category: String) {
        let notification = UILocalNotification()
        notification.alertBody = "Local"
        notification.applicationIconBadgeNumber = 1
        if CurrentPort.find().facts.systemMajor >= 8 { notification.category = category }
        notification.fireDate = CurrentPort.clock.date.addingTimeInterval(60)
        UIApplication.shared.scheduleLocalNotification(notification)
    }

    private static var legacyCategories: Set<UIUserNotificationCategory> {
        func action(_ identifier: String, _ mode: UIUserNotificationActivationMode) -> UIMutableUserNotificationAction {
            let action = UIMutableUserNotificationAction()
            action.identifier = identifier
            action.title = identifier.capitalized
            action.activationMode = mode
            return action
        }
        let answer = action("answer", .background)
        answer.behavior = .textInput
        let category = UIMutableUserNotificationCategory()
        category.identifier = "quiet"
        category.setActions([action("later", .background), action("show", .foreground), answer], for: .default)
        return [category]
    }
}
