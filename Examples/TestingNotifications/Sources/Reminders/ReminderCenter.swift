import UserNotifications

/// Keeps the app's daily reminder.
public struct ReminderCenter: Sendable {
    public static let dailyIdentifier = "daily"

    public init() {}

    /// Asks the user for permission, and schedules the reminder if granted.
    @discardableResult
    public func start(hour: Int) async throws -> Bool {
        let center = UNUserNotificationCenter.current()
        guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else { return false }
        let content = UNMutableNotificationContent()
        content.title = "Time to write"
        content.body = "Three lines are enough."
        content.sound = .default
        var components = DateComponents()
        components.hour = hour
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        try await center.add(
            UNNotificationRequest(identifier: Self.dailyIdentifier, content: content, trigger: trigger)
        )
        return true
    }

    public func stop() {
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [Self.dailyIdentifier])
    }
}
