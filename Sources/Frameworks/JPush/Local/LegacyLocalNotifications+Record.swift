import SystemPort
import UIKit

extension LegacyLocalNotifications {
    /// Returns the pending notification with its name.
    func notification(of request: RequestRecord) -> KeyedLocalNotification {
        let said = UILocalNotification(waiting: request, on: port).record
        return KeyedLocalNotification(key: request.identifier, said ?? LegacyNotificationRecord())
    }
}
