import Foundation
import PushClock
import SystemPort
import UIKit

extension LegacyLocalNotifications {
    /// What waits, as the app scheduled it; of a request of the notification centre what a `UILocalNotification` can say.
    func notification(of request: RequestRecord) -> KeyedLocalNotification {
        if let legacy = request.content.legacy { return KeyedLocalNotification(key: request.identifier, legacy) }
        let zone = TimeZone(identifier: port.facts.timeZone) ?? .gmt
        let due = request.trigger.flatMap { TriggerDates.next(of: $0, after: port.clock.date, in: zone) }
        let record = NotificationRecord(
            identifier: request.identifier,
            date: due ?? port.clock.date,
            content: request.content,
            trigger: request.trigger
        )
        let said = UILocalNotification(record).record ?? LegacyNotificationRecord()
        return KeyedLocalNotification(key: request.identifier, said)
    }
}
