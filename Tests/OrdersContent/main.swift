import UIKit
import UserNotifications
import UserNotificationsUI

/// A content extension in a process of its own. Its buttons do what they are named after: `keep`, `close`, `forward`, `hang`, `trap`,
/// `default` and `leave` (through the context), `fewer` (buttons).
final class OrdersContent: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {
        print("showing \(getpid())")
        title = "Order \(notification.request.content.userInfo["order"] as? String ?? "")"
        preferredContentSize.height = 120
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        title = [response.actionIdentifier, (response as? UNTextInputNotificationResponse)?.userText ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " ")
        switch response.actionIdentifier {
        case "close": completion(.dismiss)
        case "forward": completion(.dismissAndForwardAction)
        case "hang": while true { pause() }
        case "trap": fatalError("as it was told")
        case "default": extensionContext?.performNotificationDefaultAction()
        case "leave": extensionContext?.dismissNotificationContentExtension()
        case "fewer":
            extensionContext?.notificationActions = [UNNotificationAction(identifier: "close", title: "Close")]
            completion(.doNotDismiss)
        default: completion(.doNotDismiss)
        }
    }

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }
    var mediaPlayPauseButtonFrame: CGRect { CGRect(x: 10, y: 10, width: 40, height: 40) }

    func mediaPlay() { title = "playing" }
    func mediaPause() { title = "paused" }
}

NSExtensionMain()
