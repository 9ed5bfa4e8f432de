import CoreLocation
import UserNotifications

/// Keeps the app's reminders.
public struct ReminderCenter: Sendable {
    public static let dailyIdentifier = "daily"
    public static let gateIdentifier = "gate"

    public init() {}

    /// Asks the user for permission, and schedules the daily reminder if granted.
    @discardableResult
    public func start(hour: Int) async throws -> Bool {
        let center = UNUserNotificationCenter.current()
        let options: UNAuthorizationOptions = [.alert, .sound, .badge, .providesAppNotificationSettings]
        guard try await center.requestAuthorization(options: options) else { return false }
        var components = DateComponents()
        components.hour = hour
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        try await add(Self.dailyIdentifier, title: "Time to write", body: "Three lines are enough.", trigger: trigger)
        return true
    }

    /// Reminds the user once more.
    public func snooze(minutes: Int = 10) async throws {
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: Double(minutes) * 60, repeats: false)
        try await add("snoozed", title: "Time to write", body: "You asked to be reminded again.", trigger: trigger)
    }

    /// Reminds the user at a place.
    public func remind(at place: CLLocationCoordinate2D) async throws {
        let region = CLCircularRegion(center: place, radius: 150, identifier: Self.gateIdentifier)
        region.notifyOnEntry = true
        region.notifyOnExit = false
        let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
        try await add(
            Self.gateIdentifier,
            title: "At the gate",
            body: "You wanted to note something here.",
            trigger: trigger
        )
    }

    public func stop() {
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [Self.dailyIdentifier])
    }

    /// Removes the notifications of a note from the notification centre.
    public func clear(note: String) async {
        let center = UNUserNotificationCenter.current()
        let ids = await center.deliveredNotifications().map(\.request)
            .filter { $0.content.userInfo["note"] as? String == note }
            .map(\.identifier)
        center.removeDeliveredNotifications(withIdentifiers: ids)
    }

    private func add(_ identifier: String, title: String, body: String, trigger: UNNotificationTrigger) async throws {
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = body
        content.sound = .default
        content.categoryIdentifier = Categories.reminder
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
        try await UNUserNotificationCenter.current().add(request)
    }
}
