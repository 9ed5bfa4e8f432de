import Foundation
import SystemPort
import UIKit
import UserNotifications

/// Local notifications through the SDK's types: they need no `setup`, no app key and no service.
struct LocalNotifications {
    let client: JPushClient
    let port: any SystemPort

    private var center: UNUserNotificationCenter { .current() }

    /// Whether apps have no notification centre, as before iOS 10: they use `UILocalNotification`.
    var isLegacy: Bool { port.facts.systemMajor < 10 }

    func add(_ request: JPushNotificationRequest) {
        if isLegacy { return addLegacy(request) }
        let handler = request.completionHandler
        let trigger: UNNotificationTrigger?
        do {
            trigger = try request.trigger?.systemTrigger()
        } catch {
            return refuse(request, "\(error)")
        }
        let system = UNNotificationRequest(
            identifier: request.requestIdentifier ?? "",
            content: (request.content ?? JPushNotificationContent()).systemContent,
            trigger: trigger
        )
        center.add(system) { [client] error in
            if let error { client.log.write(.error, "The notification '\(system.identifier)' was refused: \(error).") }
            client.onMain { handler?(error == nil ? system : nil) }
        }
    }

    private func addLegacy(_ request: JPushNotificationRequest) {
        let notification = KeyedLocalNotification(key: request.requestIdentifier ?? "")
        let content = request.content ?? JPushNotificationContent()
        notification.setLater(
            title: content.title.flatMap { $0.isEmpty ? nil : $0 },
            category: content.categoryIdentifier,
            region: request.trigger?.region,
            triggersOnce: !(request.trigger?.repeat ?? false)
        )
        notification.alertBody = content.body
        notification.alertAction = content.action
        notification.userInfo = content.userInfo
        notification.soundName = content.sound ?? UILocalNotificationDefaultSoundName
        notification.applicationIconBadgeNumber = max(0, content.badge?.intValue ?? 0)
        notification.fireDate = request.trigger?.fireDate
        let added = Handoff(notification)
        let handler = Handoff(request.completionHandler)
        guard let record = notification.request(identifier: notification.key) else {
            return refuse(request, "its user info has a value that cannot be encoded")
        }
        port.call(.add(record)) { [client] reply in
            let answer: UILocalNotification? = reply == .done ? added.value : nil
            client.onMain { handler.value?(answer) }
        }
    }

    private func refuse(_ request: JPushNotificationRequest, _ reason: String) {
        client.log.write(.error, "The notification '\(request.requestIdentifier ?? "")' was refused: \(reason).")
        let handler = request.completionHandler
        client.onMain { handler?(nil) }
    }

    /// - Parameter which: the notifications to remove; nil for all, pending and delivered.
    func remove(_ which: JPushNotificationIdentifier?) {
        guard let which else {
            port.call(.removeAllPending) { _ in }
            return port.call(.removeAllDelivered) { _ in }
        }
        if isLegacy, let notification = which.notificationObj {
            return LegacyLocalNotifications(port: port).delete(notification)
        }
        let identifiers = which.identifiers ?? []
        switch (which.delivered && !isLegacy, identifiers.isEmpty) {
        case (true, true): port.call(.removeAllDelivered) { _ in }
        case (true, false): port.call(.removeDelivered(identifiers: identifiers)) { _ in }
        case (false, true): port.call(.removeAllPending) { _ in }
        case (false, false): port.call(.removePending(identifiers: identifiers)) { _ in }
        }
    }

    /// - Parameter which: the notifications to find; its handler is called, if it has one.
    func find(_ which: JPushNotificationIdentifier) {
        guard let handler = which.findCompletionHandler else {
            return client.log.write(.warning, "findNotification needs a findCompletionHandler.")
        }
        let identifiers = Set(which.identifiers ?? [])
        let isMeant: (String) -> Bool = { identifiers.isEmpty || identifiers.contains($0) }
        if isLegacy {
            let found = LegacyLocalNotifications(port: port).pending().filter { isMeant($0.key) }
            client.onMain { handler(found) }
        } else if which.delivered {
            center.getDeliveredNotifications { [client] all in
                client.onMain { handler(all.filter { isMeant($0.request.identifier) }) }
            }
        } else {
            center.getPendingNotificationRequests { [client] all in
                client.onMain { handler(all.filter { isMeant($0.identifier) }) }
            }
        }
    }
}
