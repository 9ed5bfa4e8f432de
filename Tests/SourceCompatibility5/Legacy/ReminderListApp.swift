import UIKit

// Swift 5 mode: reminders that are put off, ticked off, and opened from what launched the app.
public class ReminderListApp: UIResponder, UIApplicationDelegate {
    public private(set) var done: [String] = []
    public private(set) var opened: [String] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let tick = UIMutableUserNotificationAction()
        tick.identifier = "TICK"
        tick.title = "Done"
        tick.activationMode = .background
        let later = UIMutableUserNotificationAction()
        later.identifier = "LATER"
        later.title = "In an hour"
        later.activationMode = .background
        let category = UIMutableUserNotificationCategory()
        category.identifier = "REMINDER"
        category.setActions([tick, later], for: .default)
        let settings = UIUserNotificationSettings(types: [.alert, .badge], categories: [category])
        if application.currentUserNotificationSettings != settings {
            application.registerUserNotificationSettings(settings)
        }
        if let notification = launchOptions?[.localNotification] as? UILocalNotification { open(notification) }
        return true
    }

    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        if application.applicationState == .inactive { open(notification) }
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping () -> Void
    ) {
        switch identifier {
        case .some("TICK"): done.append(notification.alertBody ?? "")
        case .some("LATER"):
            guard let copy = notification.copy() as? UILocalNotification else { break }
            copy.fireDate = notification.fireDate?.addingTimeInterval(3600)
            application.scheduleLocalNotification(copy)
        default: break
        }
        completionHandler()
    }

    private func open(_ notification: UILocalNotification) {
        opened.append(notification.alertBody ?? "")
        UIApplication.shared.cancelLocalNotification(notification)
    }

    @MainActor
    public static func add(_ text: String, at date: Date) {
        let notification = UILocalNotification()
        notification.alertBody = text
        notification.category = "REMINDER"
        notification.fireDate = date
        UIApplication.shared.scheduleLocalNotification(notification)
    }
}
