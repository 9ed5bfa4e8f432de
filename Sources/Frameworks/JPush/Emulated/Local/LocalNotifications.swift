import SystemPort
import UIKit

/// Local notifications through the SDK's types: they need no `setup`, no app key and no service.
struct LocalNotifications {
    let client: PushCore
    let port: any SystemPort

    private var center: CenterNotifications { CenterNotifications(client: client) }

    /// Whether apps have no notification centre, as before iOS 10: they use `UILocalNotification`.
    var isLegacy: Bool { port.facts.systemMajor < 10 }

    func add(_ request: JPushNotificationRequest) {
        if isLegacy {
            addLegacy(request)
        } else {
            center.add(request)
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
            return center.refuse(request, "its user info has a value that cannot be encoded")
        }
        port.call(.add(record)) { [client] reply in
            let answer: UILocalNotification? = reply == .done ? added.value : nil
            client.onMain { handler.value?(answer) }
        }
    }

    func remove(named name: String) { port.call(.removePending(identifiers: [name])) }

    func removeAllPending() { port.call(.removeAllPending) }

    /// - Parameter which: the notifications to remove; nil for all, pending and delivered.
    func remove(_ which: JPushNotificationIdentifier?) {
        guard isLegacy else { return center.remove(which) }
        if let notification = which?.notificationObj {
            if let name = client.legacy.name(of: notification) { remove(named: name) }
            return
        }
        let identifiers = which?.identifiers ?? []
        port.call(identifiers.isEmpty ? .removeAllPending : .removePending(identifiers: identifiers))
        if which == nil { port.call(.removeAllDelivered) }
    }

    /// Calls `handler` on the main thread with the notifications that the identifier selects.
    func find(_ which: JPushNotificationIdentifier, _ handler: @escaping ([Any]?) -> Void) {
        guard isLegacy else { return center.find(which, handler) }
        let identifiers = Set(which.identifiers ?? [])
        let found = LegacyLocalNotifications(port: port).pending()
        client.onMain { handler(found.filter { identifiers.isEmpty || identifiers.contains($0.key) }) }
    }
}
