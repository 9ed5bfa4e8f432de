import Foundation
import UIKit
import UserNotifications

// Handling of the user's actions on notifications, whichever callback reports them.

extension AppDelegate {
    /// - Parameters:
    ///   - action: the identifier of the button; nil, as before iOS 10, or the default one for the notification itself.
    ///   - text: the user's text, for a button that asks for it.
    ///   - userInfo: the payload, or the app's data in a local notification.
    func act(_ action: String?, writing text: String?, on userInfo: [AnyHashable: Any]) {
        switch action {
        case nil, UNNotificationDefaultActionIdentifier, Categories.Action.see: follow(userInfo)
        case Categories.Action.reply:
            guard let text else { return follow(userInfo) }
            replies.append(text)
            log.add("reply", text)
        // Ignored or cleared: the callback is in the log.
        default: break
        }
    }

    /// Carries out the user's action on a notification for which the scene is connected: it launched the app.
    ///
    /// From iOS 13 on the system also gives it to the delegate of the notification centre, if that is set by then.
    func act(onConnectionFor response: UNNotificationResponse) {
        act(on: response)
        connectedFor = response
    }

    /// Carries out the user's action on a notification, unless that was done when the scene was connected.
    func act(on response: UNNotificationResponse) {
        let isRepeated = connectedFor.map { $0.isSame(as: response) } ?? false
        connectedFor = nil
        if isRepeated { return }
        let text = (response as? UNTextInputNotificationResponse)?.userText
        act(response.actionIdentifier, writing: text, on: response.notification.request.content.userInfo)
    }

    /// Opens the page of the link in `userInfo`, if there is one.
    func follow(_ userInfo: [AnyHashable: Any]) {
        guard let link = DeepLink(userInfo: userInfo) else { return }
        go(to: link.page)
    }

    /// Returns the payload's keys, `aps` first: a log line has no room for more.
    func describe(_ payload: [AnyHashable: Any]) -> String {
        let keys = payload.keys.compactMap { $0 as? String }.filter { $0 != "aps" }.sorted()
        return (["aps"] + keys).joined(separator: " ")
    }
}

extension UNNotificationResponse {
    fileprivate func isSame(as other: UNNotificationResponse) -> Bool {
        actionIdentifier == other.actionIdentifier && notification.date == other.notification.date
            && notification.request.identifier == other.notification.request.identifier
    }
}
