#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import UserNotifications

/// Local notifications in the notification centre, through the SDK's types.
struct CenterNotifications {
    let client: PushCore

    private var center: UNUserNotificationCenter { .current() }

    func add(_ request: JPushNotificationRequest) {
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
        let added = Boxed(system)
        let handler = Boxed(request.completionHandler)
        center.add(system) { [client] error in
            if let error { client.warn("The notification '\(added.value.identifier)' was refused: \(error).") }
            let isAdded = error == nil
            client.onMain { handler.value?(isAdded ? added.value : nil) }
        }
    }

    func refuse(_ request: JPushNotificationRequest, _ reason: String) {
        client.warn("The notification '\(request.requestIdentifier ?? "")' was refused: \(reason).")
        let handler = request.completionHandler
        client.onMain { handler?(nil) }
    }

    /// - Parameter which: the notifications to remove; nil for all, pending and delivered.
    func remove(_ which: JPushNotificationIdentifier?) {
        guard let which else {
            center.removeAllPendingNotificationRequests()
            return center.removeAllDeliveredNotifications()
        }
        let identifiers = which.identifiers ?? []
        switch (which.delivered, identifiers.isEmpty) {
        case (true, true): center.removeAllDeliveredNotifications()
        case (true, false): center.removeDeliveredNotifications(withIdentifiers: identifiers)
        case (false, true): center.removeAllPendingNotificationRequests()
        case (false, false): center.removePendingNotificationRequests(withIdentifiers: identifiers)
        }
    }

    func remove(named name: String) { center.removePendingNotificationRequests(withIdentifiers: [name]) }

    func removeAllPending() { center.removeAllPendingNotificationRequests() }

    /// Calls `handler` on the main thread with the pending or delivered notifications.
    func find(_ which: JPushNotificationIdentifier, _ handler: @escaping ([Any]?) -> Void) {
        let identifiers = Set(which.identifiers ?? [])
        let isMeant: @Sendable (String) -> Bool = { identifiers.isEmpty || identifiers.contains($0) }
        let handler = Boxed(handler)
        if which.delivered {
            center.getDeliveredNotifications { [client] all in
                let found = Boxed(all.filter { isMeant($0.request.identifier) })
                client.onMain { handler.value(found.value) }
            }
        } else {
            center.getPendingNotificationRequests { [client] all in
                let found = Boxed(all.filter { isMeant($0.identifier) })
                client.onMain { handler.value(found.value) }
            }
        }
    }
}

/// A value that is handed to the main thread.
///
/// `@unchecked Sendable`: it is used there only, after it was handed over.
final class Boxed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

#endif
