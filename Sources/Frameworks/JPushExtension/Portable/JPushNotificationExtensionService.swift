#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
import PosthornClient
public import UserNotifications

/// Reports from an app's service extension that a push has arrived.
///
/// The extension's Info.plist has the same `PosthornService` and `PosthornAppGroup` as the app's.
#if canImport(ObjectiveC)
@objc(JPushNotificationExtensionService)
#endif
open class JPushNotificationExtensionService: NSObject {
    /// Sets the app's key, the same as in the app's `setup`; call it before `jpushReceive(_:with:)`.
    #if canImport(ObjectiveC)
    @objc(jpushSetAppkey:)
    #endif
    open class func jpushSetAppkey(_ appkey: String!) { ExtensionProcess.current.appKey = appkey ?? "" }

    /// Reports the push, then calls `completion` once, on the main thread: when the service has answered, when it cannot be reached, or
    /// after five seconds. A report that was not sent is left to the app.
    ///
    /// - Parameters:
    ///   - request: the extension's request; without `_j_msgid` it is not from the service, and nothing is reported.
    ///   - completion: calls the extension's content handler.
    #if canImport(ObjectiveC)
    @objc(jpushReceiveNotificationRequest:with:)
    #endif
    open class func jpushReceive(_ request: UNNotificationRequest!, with completion: (() -> Void)!) {
        let process = ExtensionProcess.current
        let done = MainCall(completion)
        let payload = request?.content.userInfo ?? [:]
        guard let id = PosthornClient.messageID(in: payload) else { return process.call(done) }
        do {
            guard var configuration = try process.configuration() else { return process.call(done) }
            configuration.log = { process.log($0, isError: false) }
            ReceiptReporter(configuration).report(.received, of: id, at: process.date) { _ in process.call(done) }
        } catch {
            process.log("The push is not reported: \(error)", isError: true)
            process.call(done)
        }
    }

    /// Logs errors only.
    #if canImport(ObjectiveC)
    @objc(setLogOff)
    #endif
    open class func setLogOff() { ExtensionProcess.current.isQuiet = true }
}

/// A completion, which is called on the main thread.
///
/// `@unchecked Sendable`: it is used there only.
struct MainCall: @unchecked Sendable {
    let body: (() -> Void)?

    init(_ body: (() -> Void)?) { self.body = body }
}

#endif
