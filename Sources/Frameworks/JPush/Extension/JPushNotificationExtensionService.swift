public import Foundation
import PushModel
import SystemPort
public import UserNotifications

/// Reports from an app's service extension that a push has arrived.
open class JPushNotificationExtensionService: NSObject {
    /// Sets the app's key, the same as in the app's `setup`; call it before `jpushReceive(_:with:)`.
    open class func jpushSetAppkey(_ appkey: String!) {
        let environment = CurrentPort.find().facts.environment
        client.setUp(appKey: appkey ?? "", channel: nil, isProduction: environment == .production)
    }

    /// Reports the push, then calls `completion` once, on the main thread: when the service has answered, when it
    /// cannot be reached, or after five seconds. A failed report is sent with the next one, or with the app's.
    ///
    /// - Parameters:
    ///   - request: the extension's request; without `_j_msgid` it is not from the service, and nothing is reported.
    ///   - completion: calls the extension's content handler.
    open class func jpushReceive(_ request: UNNotificationRequest!, with completion: (() -> Void)!) {
        let client = client
        guard let request, let id = PayloadMessageID.read(request.content.userInfo) else {
            return client.onMain { completion?() }
        }
        client.reportFromExtension(id) { completion?() }
    }

    /// Logs warnings and errors only.
    open class func setLogOff() { client.log.set(.warning) }

    private class var client: JPushClient { JPushClient.of(CurrentPort.find(), isExtension: true) }
}
