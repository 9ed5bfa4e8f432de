import UserNotifications

/// A service extension in a process of its own that does what pushes tell it, by the key `inService`: `hang`, `hold` (its
/// handler), `trap`, `last` (calls its handler when it is told that its time is over); else it changes the title.
final class OrdersExtension: UNNotificationServiceExtension {
    private var handler: ((UNNotificationContent) -> Void)?
    private var content = UNMutableNotificationContent()
    private var order: String?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        print("serving \(getpid())")
        content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
        handler = contentHandler
        order = request.content.userInfo["inService"] as? String
        switch order {
        case "hang": while true { pause() }
        case "hold", "last": break
        case "trap": fatalError("as it was told")
        default: finish("changed")
        }
    }

    override func serviceExtensionTimeWillExpire() {
        print("told")
        if order == "last" { finish("in time") }
    }

    private func finish(_ title: String) {
        content.title = title
        handler?(content)
    }
}

NSExtensionMain()
