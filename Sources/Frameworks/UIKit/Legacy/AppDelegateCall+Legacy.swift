import SystemPort
import UserNotifications

// Callbacks for an app that never sets `UNUserNotificationCenter.delegate`: the methods of before iOS 10, which iOS 10
// and later still call. Source: Apple, `UIApplicationDelegate`.

extension AppDelegateCall {
    static let didReceiveLocalName = "application(_:didReceive:)"

    /// Delivers a local notification in the foreground, or a tap on one.
    func deliver(local record: NotificationRecord) {
        call(Self.didReceiveLocalName) { delegate.application(application, didReceive: UILocalNotification(record)) }
    }

    /// Delivers a button: to the method of iOS 9, or to that of iOS 8 if the app has no other.
    ///
    /// - Returns: whether one of them will answer.
    func handleAction(_ record: ResponseRecord) -> Bool {
        let parameter = record.notification.isLocal ? "for" : "forRemoteNotification"
        let name = "application(_:handleActionWithIdentifier:\(parameter):"
        let hasResponseInfo = port.facts.systemMajor >= 9
        return hasResponseInfo
            && handle("\(name)withResponseInfo:completionHandler:)") { handle(record, withInfo: true, $0) }
            || handle("\(name)completionHandler:)") { handle(record, withInfo: false, $0) }
    }

    private func handle(_ name: String, _ method: (@escaping @Sendable () -> Void) -> Void) -> Bool {
        call(name, answering: { (_: Void) in .responded }) { answer in method { answer(()) } }
    }

    private func handle(_ record: ResponseRecord, withInfo: Bool, _ completion: @escaping @Sendable () -> Void) {
        let identifier = record.actionIdentifier
        let payload = record.notification.content.userInfo.foundation
        var info: [AnyHashable: Any] = [:]
        if let text = record.userText { info[UIUserNotificationActionResponseTypedTextKey] = text }
        switch (record.notification.isLocal, withInfo) {
        case (true, true):
            delegate.application(
                application,
                handleActionWithIdentifier: identifier,
                for: UILocalNotification(record.notification),
                withResponseInfo: info,
                completionHandler: completion
            )
        case (true, false):
            delegate.application(
                application,
                handleActionWithIdentifier: identifier,
                for: UILocalNotification(record.notification),
                completionHandler: completion
            )
        case (false, true):
            delegate.application(
                application,
                handleActionWithIdentifier: identifier,
                forRemoteNotification: payload,
                withResponseInfo: info,
                completionHandler: completion
            )
        case (false, false):
            delegate.application(
                application,
                handleActionWithIdentifier: identifier,
                forRemoteNotification: payload,
                completionHandler: completion
            )
        }
    }
}
