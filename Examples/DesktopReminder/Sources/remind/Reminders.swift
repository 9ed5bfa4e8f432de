import Foundation
import UserNotifications

/// The program's notifications.
struct Reminders {
    static let category = "REMINDER"
    static let snooze = "SNOOZE"
    /// The time by which a reminder is put off, in seconds.
    static let snoozeTime = 300.0

    private let center = UNUserNotificationCenter.current()

    /// Asks for permission and declares the button.
    func prepare() async throws {
        guard try await center.requestAuthorization(options: [.alert, .sound]) else { throw Refused() }
        let snooze = UNNotificationAction(identifier: Self.snooze, title: "Snooze", options: [])
        center.setNotificationCategories([
            UNNotificationCategory(identifier: Self.category, actions: [snooze], intentIdentifiers: [])
        ])
    }

    /// - Parameters:
    ///   - seconds: the time until the reminder.
    ///   - title: the title of the notification.
    ///   - body: the text below; empty for none.
    ///   - picture: the path of a picture; nil for none.
    /// - Returns: the identifier of the reminder.
    /// - Throws: `UNError` if the reminder is refused, or the file is no picture.
    func add(after seconds: Double, title: String, body: String, picture: String?) async throws -> String {
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = body
        content.sound = .default
        content.categoryIdentifier = Self.category
        if let picture {
            let file = URL(fileURLWithPath: picture)
            content.attachments = [try UNNotificationAttachment(identifier: "picture", url: file)]
        }
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        let identifier = String(UUID().uuidString.prefix(8))
        try await center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
        return identifier
    }

    /// Puts a reminder off.
    func snooze(_ request: UNNotificationRequest) async throws {
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: Self.snoozeTime, repeats: false)
        let later = UNNotificationRequest(identifier: request.identifier, content: request.content, trigger: trigger)
        try await center.add(later)
    }

    /// The reminders to come, the next one first.
    func lines() async -> [String] {
        await center.pendingNotificationRequests().map { "\($0.identifier)  \($0.content.title)" }
    }

    func cancel(_ identifiers: [String]) {
        center.removePendingNotificationRequests(withIdentifiers: identifiers)
        center.removeDeliveredNotifications(withIdentifiers: identifiers)
    }

    struct Refused: Error, CustomStringConvertible {
        let description = "The desktop's settings forbid notifications of this program."
    }
}
