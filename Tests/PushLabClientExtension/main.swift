import Foundation
import JPushExtension
import UserNotifications

/// A service extension that reports each push over HTTPS and shows it as it came, for Interop/test_client_phone.py.
final class ReportingService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        JPushNotificationExtensionService.jpushSetAppkey(ProcessInfo.processInfo.environment["POSTHORN_APP_KEY"])
        JPushNotificationExtensionService.jpushReceive(request) { contentHandler(request.content) }
    }
}

NSExtensionMain()
