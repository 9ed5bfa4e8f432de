#if os(iOS)

import Foundation
import UIKit
import UserNotifications

/// Local notifications before iOS 10, in the notification centre: the app's name for one is the identifier of its request.
@available(iOS, deprecated: 10.0)
struct LegacyLocalNotifications {
    private var center: UNUserNotificationCenter { .current() }

    /// - Returns: nil for a date that is not in the future.
    func schedule(_ asked: LegacyRequest) -> UILocalNotification? {
        let trigger = JPushNotificationTrigger()
        if let region = asked.region {
            trigger.region = region
            trigger.repeat = !asked.triggersOnce
        } else {
            guard let date = asked.date, date > Date() else { return nil }
            // Whole seconds, and never one that has passed.
            let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
            let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
            trigger.dateComponents = Calendar.current.dateComponents(units, from: second)
        }
        let content = JPushNotificationContent()
        content.body = asked.body
        content.badge = asked.badge > 0 ? NSNumber(value: asked.badge) : nil
        content.userInfo = asked.userInfo
        content.sound = asked.sound == UILocalNotificationDefaultSoundName ? nil : asked.sound
        content.categoryIdentifier = asked.category
        let request = UNNotificationRequest(
            identifier: asked.name ?? UUID().uuidString,
            content: content.systemContent,
            trigger: try? trigger.systemTrigger()
        )
        center.add(request)
        return NamedNotification.all(of: [request]).first
    }

    /// No effect: on these systems the delegate decides how a notification is shown in front.
    func show(_ notification: UILocalNotification, name: String?) {}

    func name(of notification: UILocalNotification) -> String? { (notification as? NamedNotification)?.name }

    func pending(_ name: String?) -> [Any] {
        let answered = DispatchSemaphore(value: 0)
        // Written before the signal, and read after it.
        nonisolated(unsafe) var found: [UNNotificationRequest] = []
        center.getPendingNotificationRequests { all in
            found = all.filter { $0.identifier == name }
            answered.signal()
        }
        // The centre answers on a queue of its own.
        guard answered.wait(timeout: .now() + 5) == .success else { return [] }
        return NamedNotification.all(of: found)
    }
}

/// A local notification with the name by which the app finds it.
@available(iOS, deprecated: 10.0)
final class NamedNotification: UILocalNotification {
    private(set) nonisolated(unsafe) var name: String?

    /// The notifications of requests. UIKit's class belongs to the main thread.
    nonisolated static func all(of requests: [UNNotificationRequest]) -> [NamedNotification] {
        let requests = Boxed(requests)
        let makeAll: @MainActor @Sendable () -> Boxed<[NamedNotification]> = { Boxed(requests.value.map(Self.make)) }
        if Thread.isMainThread { return MainActor.assumeIsolated(makeAll).value }
        return DispatchQueue.main.sync { MainActor.assumeIsolated(makeAll) }.value
    }

    @MainActor private static func make(_ request: UNNotificationRequest) -> NamedNotification {
        let notification = NamedNotification()
        notification.name = request.identifier
        notification.fireDate = (request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate()
        #if !targetEnvironment(macCatalyst)
        if let trigger = request.trigger as? UNLocationNotificationTrigger {
            notification.region = trigger.region
            notification.regionTriggersOnce = !trigger.repeats
        }
        #endif
        notification.alertBody = request.content.body
        notification.applicationIconBadgeNumber = request.content.badge?.intValue ?? 0
        notification.userInfo = request.content.userInfo
        notification.soundName = UILocalNotificationDefaultSoundName
        notification.category = request.content.categoryIdentifier
        return notification
    }
}

#endif
