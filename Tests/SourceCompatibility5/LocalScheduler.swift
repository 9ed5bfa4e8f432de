import Foundation
import UserNotifications

// Swift 5 mode: a scheduler with a queue of its own, and the centre's settings made Sendable by the app.
extension UNNotificationSettings: @unchecked Sendable {}

public class LocalScheduler {
    public static let shared = LocalScheduler()
    private let queue = DispatchQueue(label: "scheduler")
    public private(set) var pendingCount = 0

    public func scheduleDaily(hour: Int, minute: Int, completion: @escaping (Error?) -> Void) {
        let content = UNMutableNotificationContent()
        content.title = "Daily"
        content.sound = UNNotificationSound(named: UNNotificationSoundName("bell.caf"))
        var date = DateComponents()
        date.hour = hour
        date.minute = minute
        let request = UNNotificationRequest(
            identifier: "daily",
            content: content,
            trigger: UNCalendarNotificationTrigger(dateMatching: date, repeats: true)
        )
        UNUserNotificationCenter.current().add(request, withCompletionHandler: completion)
    }

    public func refresh(_ done: @escaping () -> Void) {
        UNUserNotificationCenter.current().getPendingNotificationRequests { requests in
            self.pendingCount = requests.count
            done()
        }
    }
}
