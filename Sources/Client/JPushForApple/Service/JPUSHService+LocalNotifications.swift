#if os(iOS) || os(Linux) && canImport(UIKit)

import CoreLocation
import Foundation
import UIKit
import UserNotifications

extension JPUSHService {
    /// Schedules a local notification, replacing one with the same identifier, or shows it at once.
    public class func addNotification(_ request: JPushNotificationRequest!) {
        guard let request else { return }
        let handler = MainCall(request.completionHandler)
        let trigger: UNNotificationTrigger?
        do {
            trigger = try request.trigger?.systemTrigger()
        } catch {
            let name = request.requestIdentifier ?? ""
            PushCore.shared.log("The notification '\(name)' was refused: \(error.localizedDescription)", isError: true)
            return handler.call { $0?(nil) }
        }
        let system = UNNotificationRequest(
            identifier: request.requestIdentifier ?? "",
            content: (request.content ?? JPushNotificationContent()).systemContent,
            trigger: trigger
        )
        let added = Boxed(system)
        UNUserNotificationCenter.current().add(system) { error in
            let name = added.value.identifier
            if let error { PushCore.shared.log("The notification '\(name)' was refused: \(error)", isError: true) }
            let isAdded = error == nil
            handler.call { $0?(isAdded ? added.value : nil) }
        }
    }

    /// Removes the pending or delivered notifications that the identifier selects; nil removes all of both.
    public class func removeNotification(_ identifier: JPushNotificationIdentifier!) {
        let center = UNUserNotificationCenter.current()
        guard let identifier else {
            center.removeAllPendingNotificationRequests()
            return center.removeAllDeliveredNotifications()
        }
        let names = identifier.identifiers ?? []
        switch (identifier.delivered, names.isEmpty) {
        case (true, true): center.removeAllDeliveredNotifications()
        case (true, false): center.removeDeliveredNotifications(withIdentifiers: names)
        case (false, true): center.removeAllPendingNotificationRequests()
        case (false, false): center.removePendingNotificationRequests(withIdentifiers: names)
        }
    }

    /// Calls the identifier's handler with the pending or delivered notifications.
    public class func findNotification(_ identifier: JPushNotificationIdentifier!) {
        guard let identifier, let completion = identifier.findCompletionHandler else {
            return PushCore.shared.log("findNotification needs a findCompletionHandler.", isError: true)
        }
        let handler = MainCall(completion)
        let names = Set(identifier.identifiers ?? [])
        let center = UNUserNotificationCenter.current()
        if identifier.delivered {
            center.getDeliveredNotifications { all in
                let found = Boxed(all.filter { names.isEmpty || names.contains($0.request.identifier) })
                handler.call { $0?(found.value) }
            }
        } else {
            center.getPendingNotificationRequests { all in
                let found = Boxed(all.filter { names.isEmpty || names.contains($0.identifier) })
                handler.call { $0?(found.value) }
            }
        }
    }

    // MARK: Before iOS 10

    /// Shows a notification that arrives in front as an alert, before iOS 10. No effect on later systems.
    @available(iOS, deprecated: 10.0, message: "Use the delegate of register(forRemoteNotificationConfig:delegate:).")
    public class func showLocalNotification(
        atFront notification: UILocalNotification!,
        identifierKey notificationKey: String!
    ) {}

    /// Removes the local notifications with this key.
    public class func deleteLocalNotification(withIdentifierKey notificationKey: String!) {
        guard let notificationKey else { return }
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [notificationKey])
    }

    /// Removes all pending local notifications.
    public class func clearAllLocalNotifications() {
        UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
    }
}

/// The problem with a trigger that the notification centre would refuse, or that would never fire.
private struct Refusal: LocalizedError {
    var errorDescription: String?
}

extension JPushNotificationTrigger {
    /// Returns the condition that counts, as the notification centre takes it.
    ///
    /// - Returns: the trigger.
    /// - Throws: the problem with it.
    fileprivate func systemTrigger() throws -> UNNotificationTrigger {
        #if !targetEnvironment(macCatalyst)
        if let region { return UNLocationNotificationTrigger(region: region, repeats: self.repeat) }
        #endif
        if let dateComponents {
            return UNCalendarNotificationTrigger(dateMatching: dateComponents, repeats: self.repeat)
        }
        guard timeInterval > 0 else {
            throw Refusal(errorDescription: "its trigger has neither an interval nor date components nor a region")
        }
        guard !self.repeat || timeInterval >= 60 else {
            throw Refusal(errorDescription: "a repeating interval is at least 60 seconds, not \(timeInterval)")
        }
        return UNTimeIntervalNotificationTrigger(timeInterval: timeInterval, repeats: self.repeat)
    }
}

extension JPushNotificationContent {
    /// The content as the notification centre takes it.
    fileprivate var systemContent: UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title ?? ""
        content.subtitle = subtitle ?? ""
        content.body = body ?? ""
        if let badge, badge.intValue >= 0 { content.badge = badge }
        content.sound = systemSound
        content.categoryIdentifier = categoryIdentifier ?? ""
        content.userInfo = userInfo ?? [:]
        content.attachments = (attachments ?? []).compactMap { $0 as? UNNotificationAttachment }
        content.threadIdentifier = threadIdentifier ?? ""
        content.launchImageName = launchImageName ?? ""
        content.targetContentIdentifier = targetContentIdentifier
        if #available(iOS 15, *) {
            content.interruptionLevel = UNNotificationInterruptionLevel(rawValue: interruptionLevel) ?? .active
            content.relevanceScore = relevanceScore
        }
        if #available(iOS 16, *) { content.filterCriteria = filterCriteria }
        return content
    }

    private var systemSound: UNNotificationSound {
        if let sound, !sound.isEmpty { return UNNotificationSound(named: UNNotificationSoundName(sound)) }
        if let critical = soundSetting?.criticalSoundName, !critical.isEmpty {
            let volume = soundSetting?.criticalSoundVolume ?? 1
            return .criticalSoundNamed(UNNotificationSoundName(critical), withAudioVolume: volume)
        }
        guard let name = soundSetting?.soundName, !name.isEmpty else { return .default }
        return UNNotificationSound(named: UNNotificationSoundName(name))
    }
}

#endif
