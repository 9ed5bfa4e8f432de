import Foundation
import PushClock
import SystemPort
import UIKit
import UserNotifications

/// `setLocalNotification` and its kin: the name that the app gives is the request's identifier.
struct LegacyLocalNotifications {
    let port: any SystemPort

    /// - Returns: nil if it has no moment to come and no region.
    func schedule(_ notification: KeyedLocalNotification) -> UILocalNotification? {
        if notification.region == nil {
            guard let date = notification.fireDate, date > port.clock.date else { return nil }
        }
        guard let record = Self.record(of: notification) else { return nil }
        port.call(.add(record)) { _ in }
        return notification
    }

    func delete(key: String) { port.call(.removePending(identifiers: [key])) { _ in } }

    func delete(_ notification: UILocalNotification) {
        let key = (notification as? KeyedLocalNotification)?.key ?? pending().first { $0 == notification }?.key
        if let key { delete(key: key) }
    }

    func deleteAll() { port.call(.removeAllPending) { _ in } }

    /// What waits, the next to fire first.
    ///
    /// The SDK answers before its call returns. So this waits for the port, whose answer needs no thread of the app's.
    func pending() -> [KeyedLocalNotification] {
        let answer = PendingAnswer()
        port.call(.pendingRequests) { answer.give($0) }
        return answer.wait().map { Self.notification(of: $0, at: port.clock.date) }
    }
}
