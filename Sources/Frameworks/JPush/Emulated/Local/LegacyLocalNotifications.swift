import CoreLocation
import Foundation
import JPushExtension
import PushModel
import SystemPort
import UIKit
import UserNotifications

/// `setLocalNotification` and related calls: the app's name for a notification is the request's identifier.
struct LegacyLocalNotifications {
    let port: any SystemPort

    /// - Returns: nil without a fire date in the future or a region.
    func schedule(_ asked: LegacyRequest) -> UILocalNotification? {
        var random = PortRandom(port: PortReference(port))
        let notification = KeyedLocalNotification(key: asked.name ?? random.uuid())
        notification.fireDate = asked.date
        notification.alertBody = asked.body
        notification.applicationIconBadgeNumber = max(0, asked.badge)
        notification.alertAction = asked.action
        notification.userInfo = asked.userInfo
        notification.soundName = asked.sound ?? UILocalNotificationDefaultSoundName
        notification.setLater(category: asked.category, region: asked.region, triggersOnce: asked.triggersOnce)
        guard let request = notification.request(identifier: notification.key) else { return nil }
        if request.content.legacy?.region == nil {
            guard let date = notification.fireDate, date > port.clock.date else { return nil }
        }
        port.call(.add(request))
        return notification
    }

    /// Shows it as an alert; with a name only if it has that one.
    func show(_ notification: UILocalNotification, name: String?) {
        guard name == nil || notification.requestIdentifier == name else { return }
        let title = SystemSymbol.alertTitle.exists ? notification.alertTitle : nil
        let body = notification.alertBody
        let show: @MainActor @Sendable () -> Void = {
            let port = CurrentPort.find()
            guard port.facts.systemMajor < 10, UIApplication.shared.applicationState == .active else { return }
            UIAlertView(title: title, message: body, delegate: nil, cancelButtonTitle: "OK").show()
        }
        if MainThread.isCurrent {
            MainActor.assumeIsolated(show)
        } else {
            DispatchQueue.main.async(execute: show)
        }
    }

    func name(of notification: UILocalNotification) -> String? {
        (notification as? KeyedLocalNotification)?.key ?? pending().first { $0 == notification }?.key
    }

    func pending(_ name: String?) -> [Any] { pending().filter { $0.key == name } }

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
