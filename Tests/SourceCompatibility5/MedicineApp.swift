import UIKit

// Swift 5 mode: an app of 2015 that iOS still runs. It never heard of a delegate of the notification centre.
public class MedicineApp: UIResponder, UIApplicationDelegate {
    public var shown: [String] = []
    public var taken: [String] = []
    public var notes: [String] = []
    public var doctor: [String] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        let take = UNNotificationAction(identifier: "TAKE", title: "Taken", options: [])
        let note = UNTextInputNotificationAction(identifier: "NOTE", title: "Note", options: [])
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "DOSE", actions: [take, note], intentIdentifiers: [], options: [])
        ])
        if let notification = launchOptions?[UIApplication.LaunchOptionsKey.localNotification] as? UILocalNotification {
            open(notification)
        }
        return true
    }

    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        if application.applicationState == .active {
            shown.append(notification.alertBody ?? "")
        } else {
            open(notification)
        }
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        defer { completionHandler() }
        guard let medicine = notification.userInfo?["medicine"] as? String else { return }
        switch identifier {
        case "TAKE"?: taken.append(medicine)
        case "NOTE"?: notes.append(responseInfo[UIUserNotificationActionResponseTypedTextKey] as? String ?? "")
        default: break
        }
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        if let from = userInfo["from"] as? String, identifier == "TAKE" { doctor.append(from) }
        completionHandler()
    }

    private func open(_ notification: UILocalNotification) {
        shown.append("opened \(notification.userInfo?["medicine"] as? String ?? "")")
    }

    public static func remind(of medicine: String, in seconds: TimeInterval) {
        let content = UNMutableNotificationContent()
        content.body = "Time for \(medicine)"
        content.categoryIdentifier = "DOSE"
        content.userInfo = ["medicine": medicine]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        let request = UNNotificationRequest(identifier: medicine, content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(request) { _ in }
    }
}
