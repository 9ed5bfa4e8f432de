// swift-format-ignore-file: NeverForceUnwrap, OmitExplicitReturns, NeverUseImplicitlyUnwrappedOptionals

import JPush
import UserNotifications

// A service extension that reports its pushes, in the words of the guide.
class ReceiptService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var content: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent
        content?.title = "\(content?.title ?? "") [reported]"
        JPushNotificationExtensionService.jpushSetAppkey("YOUR_APP_KEY")
        JPushNotificationExtensionService.jpushReceive(request) {
            contentHandler(self.content!)
        }
    }

    override func serviceExtensionTimeWillExpire() {
        contentHandler?(content!)
    }
}
