import CoreLocation
import Foundation
import UIKit
import UserNotifications

/// Local notifications with each kind of trigger: added, found, changed, removed.
///
/// From iOS 10 on through the notification centre, by the identifiers of requests; before, as `UILocalNotification`s, which
/// have no identifier: theirs is kept in `userInfo`.
@MainActor
public final class Reminders {
    let settings: PushLabSettings
    /// Asks for the place, which reminders of one need.
    private let places = CLLocationManager()

    init(settings: PushLabSettings) { self.settings = settings }

    /// Adds a reminder, or changes the one with its id that waits.
    ///
    /// - Throws: ``ReminderProblem`` for what the system would not take; from iOS 10 on `UNError` without permission.
    public func add(_ reminder: Reminder) async throws {
        try check(reminder.moment)
        if case .at = reminder.moment { places.requestWhenInUseAuthorization() }
        guard case .center = Generation.current else { return try schedule(reminder) }
        let content = UNMutableNotificationContent()
        content.title = "Reminder"
        content.body = reminder.text
        content.sound = .default
        content.userInfo = reminder.userInfo
        if let category = reminder.category { content.categoryIdentifier = category }
        let request = UNNotificationRequest(
            identifier: reminder.id,
            content: content,
            trigger: reminder.moment.trigger
        )
        try await UNUserNotificationCenter.current().add(request)
    }

    /// The ids of what waits, the next to fire first.
    public func waiting() async -> [String] {
        guard case .center = Generation.current else { return scheduled.compactMap(\.reminder) }
        return await UNUserNotificationCenter.current().pendingNotificationRequests().map(\.identifier)
    }

    /// The ids of what is in the notification centre, newest first. Before iOS 10 nobody can ask.
    public func shown() async -> [String] {
        guard case .center = Generation.current else { return [] }
        return await UNUserNotificationCenter.current().deliveredNotifications().map(\.request.identifier)
    }

    /// Takes away what waits.
    public func cancel(_ ids: [String]) {
        guard case .center = Generation.current else { return unschedule(ids) }
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: ids)
    }

    /// Takes away what was shown. Before iOS 10 nobody can, but for all at once.
    public func clear(_ ids: [String]) {
        guard case .center = Generation.current else { return }
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: ids)
    }

    /// Takes away all that waits, and all that was shown.
    public func removeAll() {
        guard case .center = Generation.current else { return UIApplication.shared.cancelAllLocalNotifications() }
        UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
        UNUserNotificationCenter.current().removeAllDeliveredNotifications()
    }

    private func check(_ moment: Reminder.Moment) throws(ReminderProblem) {
        guard case .after(let seconds, let repeats) = moment else { return }
        // Written so that what is no number does not pass.
        guard seconds > 0, !repeats || seconds >= 60 else { throw .tooSoon(seconds) }
    }
}

extension Reminder.Moment {
    /// For the notification centre; nil is at once.
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
    /// Its border counts on the way in.
    var region: CLCircularRegion {
        let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        let region = CLCircularRegion(center: center, radius: radius, identifier: "\(latitude),\(longitude)")
        region.notifyOnEntry = true
        region.notifyOnExit = false
        return region
    }
}
