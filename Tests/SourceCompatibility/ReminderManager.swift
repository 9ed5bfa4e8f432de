import UserNotifications

// A singleton in the completion style, as most tutorials write it.
final class ReminderManager: NSObject {
    @MainActor static let shared = ReminderManager()

    private let center = UNUserNotificationCenter.current()
    var lastError: Error?

    func requestPermission(_ done: @escaping (Bool) -> Void) {
        center.getNotificationSettings { [center] settings in
            switch settings.authorizationStatus {
            case .notDetermined:
                center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, _ in done(granted) }
            case .authorized, .provisional, .ephemeral:
                done(true)
            case .denied:
                done(false)
            @unknown default:
                done(false)
            }
        }
    }

    func remindWeekly(_ identifier: String, weekday: Int, hour: Int, text: String) {
        let content = UNMutableNotificationContent()
        content.title = NSString.localizedUserNotificationString(forKey: "Reminder", arguments: nil)
        content.body = text
        content.sound = UNNotificationSound.default
        content.badge = 1
        content.userInfo = ["id": identifier, "created": Date()]
        content.categoryIdentifier = "reminder"
        content.threadIdentifier = "reminders"

        var components = DateComponents()
        components.weekday = weekday
        components.hour = hour
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
        center.add(request) { [weak self] error in
            if let error = error { self?.lastError = error }
        }
    }

    func cancel(_ identifiers: [String]) {
        center.removePendingNotificationRequests(withIdentifiers: identifiers)
        center.removeDeliveredNotifications(withIdentifiers: identifiers)
    }

    func list(_ done: @escaping ([String]) -> Void) {
        center.getPendingNotificationRequests { requests in done(requests.map { $0.identifier }) }
    }
}
