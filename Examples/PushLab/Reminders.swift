import CoreLocation
import Foundation
import UIKit
import UserNotifications

/// Local notifications with each kind of trigger: added, found, changed, removed.
///
/// From iOS 10 on it uses the notification centre and the identifiers of requests; before that, `UILocalNotification`s,
/// which have no identifier: it is stored in `userInfo`.
@MainActor
public final class Reminders {
    let settings: PushLabSettings
    /// Requests access to the location, which reminders at places need.
    private let places = CLLocationManager()

    init(settings: PushLabSettings) { self.settings = settings }

    /// Adds a reminder, or replaces the pending one with the same id.
    ///
    /// - Throws: ``ReminderProblem`` for a reminder that the system would not accept; from iOS 10 on `UNError` without
    ///   permission, or for a file that cannot be attached.
    public func add(_ reminder: Reminder) async throws {
        try check(reminder.moment)
        askForPlaces(reminder.moment)
        guard case .center = Generation.current else { return try schedule(reminder) }
        let content = UNMutableNotificationContent()
        content.title = NSString.localizedUserNotificationString(forKey: "Reminder", arguments: nil)
        content.body = reminder.text
        content.sound = .default
        content.userInfo = reminder.userInfo
        if let category = reminder.category { content.categoryIdentifier = category }
        if let file = reminder.attachment {
            content.attachments = [try UNNotificationAttachment(identifier: reminder.id, url: file)]
        }
        let request = UNNotificationRequest(
            identifier: reminder.id,
            content: content,
            trigger: reminder.moment.trigger
        )
        try await UNUserNotificationCenter.current().add(request)
    }

    /// Returns the ids of the pending reminders, the next to fire first.
    public func waiting() async -> [String] {
        guard case .center = Generation.current else { return scheduled.compactMap(\.reminder) }
        return await UNUserNotificationCenter.current().pendingNotificationRequests().map(\.identifier)
    }

    /// Returns the ids of the delivered reminders, newest first. Not available before iOS 10.
    public func shown() async -> [String] {
        guard case .center = Generation.current else { return [] }
        return await UNUserNotificationCenter.current().deliveredNotifications().map(\.request.identifier)
    }

    /// Removes pending reminders.
    public func cancel(_ ids: [String]) {
        guard case .center = Generation.current else { return unschedule(ids) }
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: ids)
    }

    /// Removes delivered reminders. Before iOS 10 only all at once can be removed.
    public func clear(_ ids: [String]) {
        guard case .center = Generation.current else { return }
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: ids)
    }

    /// Removes all pending and delivered reminders.
    public func removeAll() {
        guard case .center = Generation.current else { return UIApplication.shared.cancelAllLocalNotifications() }
        UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
        UNUserNotificationCenter.current().removeAllDeliveredNotifications()
    }

    /// A reminder at a place needs access to the location, which an app asks for since iOS 8.
    func askForPlaces(_ moment: Reminder.Moment) {
        if case .at = moment, Generation.isAtLeast("8.0") { places.requestWhenInUseAuthorization() }
    }

    func check(_ moment: Reminder.Moment) throws(ReminderProblem) {
        guard case .after(let seconds, let repeats) = moment else { return }
        // Written so that NaN is rejected.
        guard seconds > 0, !repeats || seconds >= 60 else { throw .tooSoon(seconds) }
    }
}

extension Reminder.Moment {
    /// The trigger for the notification centre; nil delivers at once.
    fileprivate var trigger: UNNotificationTrigger? {
        switch self {
        case .now: nil
        case .after(let seconds, let repeats):
            UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
        case .on(let components, let repeats):
            UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats)
        case .at(let place, let repeats):
            UNLocationNotificationTrigger(region: place.region, repeats: repeats)
        }
    }
}

extension Reminder.Place {
    /// The region, whose border counts only when entering.
    var region: CLCircularRegion {
        let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        let region = CLCircularRegion(center: center, radius: radius, identifier: "\(latitude),\(longitude)")
        region.notifyOnEntry = true
        region.notifyOnExit = false
        return region
    }
}
