#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient
import UserNotifications

#if canImport(ObjectiveC)
@objc(JPushNotificationExtensionService)
#endif
/// Reports from an app's service extension that a push has arrived.
///
/// The extension's Info.plist has the same `PosthornService` and `PosthornAppGroup` as the app's.
open class JPushNotificationExtensionService: NSObject {
    #if canImport(ObjectiveC)
    @objc(jpushSetAppkey:)
    #endif
    /// Sets the app's key, the same as in the app's `setup`; call it before `jpushReceive(_:with:)`.
    open class func jpushSetAppkey(_ appkey: String!) { PushCore.current.extensionKey = appkey ?? "" }

    #if canImport(ObjectiveC)
    @objc(jpushReceiveNotificationRequest:with:)
    #endif
    /// Reports the push, then calls `completion` once, on the main thread: when the service has answered, when it cannot be reached, or
    /// after five seconds. A report that was not sent is left to the app.
    ///
    /// - Parameters:
    ///   - request: the extension's request; without `_j_msgid` it is not from the service, and nothing is reported.
    ///   - completion: calls the extension's content handler.
    open class func jpushReceive(_ request: UNNotificationRequest!, with completion: (() -> Void)!) {
        let completion = MainCall(completion)
        let payload = request?.content.userInfo ?? [:]
        guard let id = PosthornClient.messageID(in: payload) else { return completion.call { $0?() } }
        do {
            let key = PushCore.current.extensionKey
            let configuration = try RunningApp.configuration(service: nil, appKey: key, channel: nil)
            ReceiptReporter(configuration).report(.received, of: id) { _ in completion.call { $0?() } }
        } catch {
            PushCore.current.log("The push is not reported: \(error)", isError: true)
            completion.call { $0?() }
        }
    }

    #if canImport(ObjectiveC)
    @objc(setLogOff)
    #endif
    /// Logs errors only.
    open class func setLogOff() { PushCore.current.setLog(isQuiet: true) }
}

#endif
