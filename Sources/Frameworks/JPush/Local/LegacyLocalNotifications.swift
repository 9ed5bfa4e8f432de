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

/// A local notification with the name by which the app finds it.
final class KeyedLocalNotification: UILocalNotification {
    let key: String

    init(key: String) {
        self.key = key
        super.init()
    }

    init(key: String, _ record: LegacyNotificationRecord) {
        self.key = key
        super.init(record)
    }

    /// Sets what came after iOS 7, as far as the app uses it and its system has it.
    func setLater(title: String? = nil, category: String?, region: CLRegion?, triggersOnce: Bool) {
        if SystemSymbol.setAlertTitle.exists { alertTitle = title }
        guard SystemSymbol.setRegion.exists else { return }
        self.category = category
        self.region = region
        regionTriggersOnce = triggersOnce
    }

    required init?(coder: NSCoder) {
        key = coder.decodeObject(of: NSString.self, forKey: "key").map { String(describing: $0) } ?? ""
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSString(string: key), forKey: "key")
    }
}
