import Foundation
import UIKit
import UserNotifications

// What a person did to a notification, whichever callback told of it.

extension AppDelegate {
    /// - Parameters:
    ///   - action: the identifier of the button; nil, as before iOS 10, or the default one for the notification itself.
    ///   - text: what the person wrote, under a button that asks for it.
    ///   - userInfo: the payload, or what the app gave a local notification.
    func act(_ action: String?, writing text: String?, on userInfo: [AnyHashable: Any]) {
        switch action {
        case nil, UNNotificationDefaultActionIdentifier, Categories.Action.see: follow(userInfo)
        case Categories.Action.reply:
            guard let text else { return follow(userInfo) }
            replies.append(text)
            log.add("reply", text)
        // Ignored or cleared: the log has the callback.
        default: break
        }
    }

    /// Goes to the page that the link in `userInfo` names, if there is one.
    func follow(_ userInfo: [AnyHashable: Any]) {
        guard let link = DeepLink(userInfo: userInfo) else { return }
        go(to: link.page)
    }

    /// The screen reads the page with each line of the log, so the line comes last.
    func go(to page: DeepLink.Page) {
        self.page = page
        log.add("page", "\(page)")
    }

    /// The payload's keys, `aps` first: what a log line has room for.
    func describe(_ payload: [AnyHashable: Any]) -> String {
        let keys = payload.keys.compactMap { $0 as? String }.filter { $0 != "aps" }.sorted()
        return (["aps"] + keys).joined(separator: " ")
    }
}
