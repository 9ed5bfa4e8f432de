import CoreLocation
import JPush
import UIKit
import UserNotifications

// Local notifications through JPush, with each kind of trigger.
@MainActor
final class JPushAlarms {
    private(set) var added: [String] = []
    private(set) var found: [String] = []

    func inFiveSeconds() -> JPushNotificationTrigger {
        let trigger = JPushNotificationTrigger()
        trigger.timeInterval = 5
        return trigger
    }

    func everyHour() -> JPushNotificationTrigger {
        let trigger = JPushNotificationTrigger()
        trigger.timeInterval = 3600
        trigger.repeat = true
        return trigger
    }

    func mondaysAtEight() -> JPushNotificationTrigger {
        var components = DateComponents()
        components.weekday = 2
        components.hour = 8
        let trigger = JPushNotificationTrigger()
        trigger.dateComponents = components
        trigger.repeat = true
        return trigger
    }

    func atTheOffice() -> JPushNotificationTrigger {
        let center = CLLocationCoordinate2D(latitude: 39.990465, longitude: 116.333386)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "office")
        region.notifyOnEntry = true
        region.notifyOnExit = false
        let trigger = JPushNotificationTrigger()
        trigger.region = region
        return trigger
    }

    /// Before iOS 10.
    func on(_ date: Date) -> JPushNotificationTrigger {
        let trigger = JPushNotificationTrigger()
        trigger.fireDate = date
        return trigger
    }

    func add(_ identifier: String, _ trigger: JPushNotificationTrigger?) {
        let content = JPushNotificationContent()
        content.title = "Alarm"
        content.subtitle = "2016"
        content.body = identifier
        content.badge = 1
        content.categoryIdentifier = "alarm"
        content.userInfo = ["alarm": identifier]

        let request = JPushNotificationRequest()
        request.requestIdentifier = identifier
        request.content = content
        request.trigger = trigger
        request.completionHandler = { [weak self] result in
            // A UNNotificationRequest; before iOS 10 a UILocalNotification; nil if the system refused.
            self?.added.append(result == nil ? "\(identifier) refused" : identifier)
        }
        JPUSHService.addNotification(request)
    }

    func find(delivered: Bool) {
        let identifier = JPushNotificationIdentifier()
        identifier.identifiers = nil  // or some: ["sampleRequest"]
        identifier.delivered = delivered
        identifier.findCompletionHandler = { [weak self] results in
            for result in results ?? [] {
                if let request = result as? UNNotificationRequest {
                    self?.found.append("waiting \(request.identifier)")
                }
                if let shown = result as? UNNotification { self?.found.append("shown \(shown.request.identifier)") }
                if let old = result as? UILocalNotification { self?.found.append("waiting \(old.alertBody ?? "")") }
            }
        }
        JPUSHService.findNotification(identifier)
    }

    func remove(_ identifiers: [String], delivered: Bool) {
        let identifier = JPushNotificationIdentifier()
        identifier.identifiers = identifiers
        identifier.delivered = delivered
        JPUSHService.removeNotification(identifier)
    }
}
