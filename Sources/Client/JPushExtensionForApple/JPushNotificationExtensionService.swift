#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
import PosthornClient
public import UserNotifications

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
    open class func jpushSetAppkey(_ appkey: String!) { reporting.key = appkey ?? "" }

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
        // Handed to the main thread, and called there only.
        nonisolated(unsafe) let done = completion ?? {}
        let answer: @Sendable () -> Void = { DispatchQueue.main.async { done() } }
        let payload = request?.content.userInfo ?? [:]
        guard let id = PosthornClient.messageID(in: payload) else { return answer() }
        #if canImport(Darwin)
        // A place of the extension's own is one from which nobody sends.
        guard Bundle.main.object(forInfoDictionaryKey: RunningApp.groupKey) != nil else {
            _ = complaint
            return answer()
        }
        #endif
        do {
            var configuration = try RunningApp.configuration(service: nil, appKey: reporting.key, channel: nil)
            if !reporting.isQuiet { configuration.log = log }
            ReceiptReporter(configuration).report(.received, of: id) { _ in answer() }
        } catch {
            log("The push is not reported: \(error)")
            answer()
        }
    }

    #if canImport(ObjectiveC)
    @objc(setLogOff)
    #endif
    /// Logs errors only.
    open class func setLogOff() { reporting.isQuiet = true }

    #if canImport(Darwin)
    /// Said once in a process.
    private static let complaint: Void = log(
        "No receipt is reported: the extension's Info.plist has no '\(RunningApp.groupKey)', the App Group that it shares with the app."
    )
    #endif
    private static let lock = NSLock()
    nonisolated(unsafe) private static var members = (key: "", isQuiet: false)
    /// The app's key, and whether only errors are logged.
    private static var reporting: (key: String, isQuiet: Bool) {
        get { lock.withLock { members } }
        set { lock.withLock { members = newValue } }
    }

    @Sendable private static func log(_ text: String) {
        FileHandle.standardError.write(Data("JPush: \(text)\n".utf8))
    }
}

#endif
