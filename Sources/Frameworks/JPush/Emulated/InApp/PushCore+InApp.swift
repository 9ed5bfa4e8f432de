import DeviceLink
import Foundation
import PosthornClient
import PushModel
import SystemPort
import UserNotifications

extension PushCore {
    private static let key = "cn.jpush.in-app"

    private func changeInApp(_ body: (inout InAppState) -> Void) {
        surroundings.inApp.update(perform: perform) { body(&$0) }
    }

    private func perform(_ effect: InAppState.Effect) {
        switch effect {
        case .show(let message): show(message)
        case .hide(let message): port.port?.call(.hideInApp(id: String(message.messageID)))
        case .save(let text): port.port?.call(.writeStorage(key: Self.key, value: text))
        }
    }

    func loadInApp() {
        let isStopped = client.isPushOff
        guard case .value(let text)? = port.port?.read(.readStorage(key: Self.key)) else { return }
        changeInApp { state in
            state.load(text)
            state.setStopped(isStopped)
        }
    }

    func movedInApp(toFront isInFront: Bool) { changeInApp { $0.moved(toFront: isInFront) } }

    func notePushSwitch() {
        let isStopped = client.isPushOff
        changeInApp { $0.setStopped(isStopped) }
    }

    func forgetMessages() { changeInApp { $0.forget() } }

    func enter(page: String) { changeInApp { $0.entered(page: page) } }

    func leave(page: String) { changeInApp { $0.left(page: page) } }

    // MARK: Messages

    /// Takes a message in a turn of the main thread; an in-app message once it is kept, if the user has disabled notifications: otherwise
    /// the system has shown it. A message that arrived while notifications were off is shown even if they are on when there is a page.
    func prepare(_ message: ClientMessage, _ take: @escaping @Sendable () -> Void) {
        guard message.isInApp else { return surroundings.onMain(take) }
        port.port?.call(.notificationSettings) { [weak self] reply in
            guard case .settings(let settings) = reply else { return }
            let status = JPAuthorizationStatus(rawValue: UInt(settings.status)) ?? .notDetermined
            let isOff = status == .notDetermined || status == .statusDenied
            if isOff { self?.changeInApp { $0.add(SDKMessage(message)) } }
            take()
        }
    }

    func deliver(_ message: ClientMessage) {
        if message.isInApp { changeInApp { $0.show() } } else { post(message) }
    }

    private func show(_ message: SDKMessage) {
        let record = InAppRecord(id: String(message.messageID), title: message.title ?? "", body: message.content)
        port.port?.call(.showInApp(record)) { [weak self] reply in
            guard let self else { return }
            guard reply == .done else { return self.changeInApp { $0.couldNotShow(message) } }
            self.changeInApp { $0.isShown(message) }
            self.report(message.messageID, .displayed)
            self.onMain { self.delegates.notify(of: message, isTap: false) }
            self.awaitEnd(of: message)
        }
    }

    private func awaitEnd(of message: SDKMessage) {
        port.port?.call(.awaitInAppEnd(id: String(message.messageID))) { [weak self] reply in
            guard let self, case .inAppEnded(let isTap) = reply else { return }
            if isTap {
                self.report(message.messageID, .clicked)
                self.onMain { self.delegates.notify(of: message, isTap: true) }
            }
            self.changeInApp { $0.hasEnded(message) }
        }
    }
}

extension SDKMessage {
    fileprivate init(_ message: ClientMessage) {
        let extras = message.extrasJSON.flatMap { try? JSONValue(parsing: String(decoding: $0, as: UTF8.self)) }
        self.init(
            position: message.position,
            messageID: message.id,
            content: message.content,
            title: message.title,
            contentType: message.contentType,
            extras: extras?.object,
            isInApp: true
        )
    }
}

extension DelegateBox {
    /// Tells both delegates of the same message.
    fileprivate func notify(of message: SDKMessage, isTap: Bool) {
        if let inApp = self.inApp {
            let first: (JPushInAppMessage) -> Void =
                isTap ? inApp.jPush(inAppMessageDidClick:) : inApp.jPush(inAppMessageDidShow:)
            first(JPushInAppMessage(message))
        }
        if let notiInApp = self.notiInApp {
            let first: ([AnyHashable: Any]) -> Void =
                isTap
                ? notiInApp.jPushNotiInMessageDidClick(withContent:) : notiInApp.jPushNotiInMessageDidShow(withContent:)
            first(message.payload)
        }
    }
}

extension JPushInAppMessage {
    /// Creates a message for all pages whose tap opens nothing: a push does not specify either.
    fileprivate convenience init(_ message: SDKMessage) {
        self.init()
        mesageId = String(message.messageID)
        title = message.title ?? ""
        content = message.content
        extras = message.extras?.foundation ?? [:]
    }
}

extension SDKMessage {
    /// The payload as the system would have delivered it with the notification.
    fileprivate var payload: [AnyHashable: Any] {
        var payload = extras?.foundation ?? [:]
        var alert: [String: Any] = ["body": content]
        alert["title"] = title
        payload["aps"] = ["alert": alert]
        payload["_j_msgid"] = messageID
        return payload
    }
}
