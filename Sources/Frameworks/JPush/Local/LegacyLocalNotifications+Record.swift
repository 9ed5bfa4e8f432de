import SystemPort
import UIKit

extension LegacyLocalNotifications {
    /// What waits, under its name.
    func notification(of request: RequestRecord) -> KeyedLocalNotification {
        let said = UILocalNotification(waiting: request, on: port).record
        return KeyedLocalNotification(key: request.identifier, said ?? LegacyNotificationRecord())
    }
}
