import CoreLocation
import SystemPort
import UIKit
import UserNotifications

/// `setLocalNotification` and related calls: the app's name for a notification is the request's identifier.
struct LegacyLocalNotifications {
    let port: any SystemPort

    /// - Returns: nil without a fire date or a region.
    func schedule(_ notification: KeyedLocalNotification) -> UILocalNotification? {
        guard let request = notification.request(identifier: notification.key) else { return nil }
        if request.content.legacy?.region == nil {
            guard let date = notification.fireDate, date > port.clock.date else { return nil }
        }
        port.call(.add(request)) { _ in }
        return notification
    }

    func delete(key: String) { port.call(.removePending(identifiers: [key])) { _ in } }

    func delete(_ notification: UILocalNotification) {
        let key = (notification as? KeyedLocalNotification)?.key ?? pending().first { $0 == notification }?.key
        if let key { delete(key: key) }
    }

    func deleteAll() { port.call(.removeAllPending) { _ in } }

    /// Returns the pending notifications, the next to fire first.
    func pending() -> [KeyedLocalNotification] {
        guard case .requests(let requests) = port.read(.pendingRequests) else { return [] }
        return requests.map(notification)
    }

    /// Returns the pending notification with its name.
    private func notification(of request: RequestRecord) -> KeyedLocalNotification {
        let said = UILocalNotification(waiting: request, on: port).record
        return KeyedLocalNotification(key: request.identifier, said ?? LegacyNotificationRecord())
    }
}
