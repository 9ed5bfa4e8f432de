import CoreLocation
import Foundation
import UIKit
import UserNotifications

#if canImport(JPush)
import JPush
#endif

// Reminders through JPush: the same classes for every version of iOS, and no `setup`, key or service.

extension Reminders {
    /// Adds a reminder, or replaces the pending one with the same id.
    ///
    /// - Parameter reminder: before iOS 10 one that does not repeat, unless it is at a place.
    /// - Returns: whether the system accepted it.
    /// - Throws: ``ReminderProblem`` for a reminder that the system would not accept.
    public func addWithJPush(_ reminder: Reminder) async throws -> Bool {
        try check(reminder.moment)
        askForPlaces(reminder.moment)
        let content = JPushNotificationContent()
        content.title = NSString.localizedUserNotificationString(forKey: "Reminder", arguments: nil)
        content.body = reminder.text
        content.badge = -1  // leaves the icon's badge as it is
        content.userInfo = reminder.userInfo
        if let category = reminder.category { content.categoryIdentifier = category }
        if let file = reminder.attachment {
            content.attachments = [try UNNotificationAttachment(identifier: reminder.id, url: file)]
        }
        let request = JPushNotificationRequest()
        request.requestIdentifier = reminder.id
        request.content = content
        request.trigger = try condition(reminder.moment)
        return await withCheckedContinuation { continuation in
            // A UNNotificationRequest, before iOS 10 a UILocalNotification; nil if the system refused.
            request.completionHandler = { @Sendable result in continuation.resume(returning: result != nil) }
            JPUSHService.addNotification(request)
        }
    }

    /// Returns the ids of reminders, also of those that were added without JPush.
    ///
    /// - Parameter delivered: whether to look in the Notification Centre instead of among the pending ones; before iOS 10
    ///   the pending ones in any case.
    /// - Returns: the ids, in no particular order.
    public func foundWithJPush(delivered: Bool) async -> [String] {
        await withCheckedContinuation { continuation in
            let identifier = JPushNotificationIdentifier()
            identifier.identifiers = nil  // all
            identifier.delivered = delivered
            identifier.findCompletionHandler = { @Sendable results in
                continuation.resume(returning: (results ?? []).compactMap(Self.id))
            }
            JPUSHService.findNotification(identifier)
        }
    }

    /// Removes pending or delivered reminders. With an empty list it would remove all of them.
    public func removeWithJPush(_ ids: [String], delivered: Bool) {
        guard !ids.isEmpty else { return }
        let identifier = JPushNotificationIdentifier()
        identifier.identifiers = ids
        identifier.delivered = delivered
        JPUSHService.removeNotification(identifier)
    }

    private nonisolated static func id(_ found: Any) -> String? {
        switch found {
        case let request as UNNotificationRequest: request.identifier
        case let notification as UNNotification: notification.request.identifier
        case let notification as UILocalNotification: notification.reminder
        default: nil
        }
    }

    private func condition(_ moment: Reminder.Moment) throws(ReminderProblem) -> JPushNotificationTrigger? {
        let trigger = JPushNotificationTrigger()
        let isCenter = if case .center = Generation.current { true } else { false }
        switch moment {
        case .now: return nil
        case .after(let seconds, let repeats):
            if repeats, !isCenter { throw .noSuchPeriod }
            trigger.timeInterval = seconds
            trigger.fireDate = settings.now().addingTimeInterval(seconds)  // before iOS 10
            trigger.repeat = repeats
        case .on(let components, let repeats):
            if repeats, !isCenter { throw .noSuchPeriod }
            trigger.dateComponents = components
            if !isCenter { trigger.fireDate = try next(components) }
            trigger.repeat = repeats
        case .at(let place, let repeats):
            if case .types = Generation.current { throw .noPlaces }
            trigger.region = place.region
            trigger.repeat = repeats
        }
        return trigger
    }
}
