import UserNotifications

// The mirror protocol and the mock that apps write to test without a device, and code that takes either.
protocol NotificationCentering: AnyObject {
    var delegate: (any UNUserNotificationCenterDelegate)? { get set }
    func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?)
    func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void)
    func removeAllPendingNotificationRequests()
    func setNotificationCategories(_ categories: Set<UNNotificationCategory>)
    func notificationSettings() async -> UNNotificationSettings
}

extension UNUserNotificationCenter: NotificationCentering {}

final class WaterReminder {
    private let center: any NotificationCentering

    init(center: any NotificationCentering = UNUserNotificationCenter.current()) { self.center = center }

    func start() {
        center.removeAllPendingNotificationRequests()
        for hour in stride(from: 9, through: 17, by: 2) {
            let content = UNMutableNotificationContent()
            content.title = "Drink"
            let trigger = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: hour), repeats: true)
            center.add(
                UNNotificationRequest(identifier: "water-\(hour)", content: content, trigger: trigger),
                withCompletionHandler: nil
            )
        }
    }
}
