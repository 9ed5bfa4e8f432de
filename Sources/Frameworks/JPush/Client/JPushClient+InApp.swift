import DeviceLink
import SystemPort
import UserNotifications

extension JPushClient {
    func enter(page: String) { update { $0.entered(page: page) } }

    func leave(page: String) { update { $0.left(page: page) } }

    /// Checks the current notification settings: a message that arrived while notifications were off is shown even if
    /// they are on now.
    func receive(inApp message: SDKMessage) {
        guard let port = port.port, let addressee = state.read(\.registrationID) else {
            return update { $0.passedOver(message) }
        }
        port.call(.notificationSettings) { [weak self] reply in
            guard case .settings(let settings) = reply else { return }
            let status = JPAuthorizationStatus(rawValue: UInt(settings.status)) ?? .notDetermined
            let isOff = status == .notDetermined || status == .statusDenied
            self?.update { $0.took(message, of: addressee, isOff: isOff) }
        }
    }

    func show(_ message: SDKMessage) {
        let record = InAppRecord(id: String(message.messageID), title: message.title ?? "", body: message.content)
        port.port?.call(.showInApp(record)) { [weak self] reply in
            guard let self else { return }
            guard reply == .done else { return self.update { $0.couldNotShow(message) } }
            self.update { $0.isShown(message) }
            self.report(message.messageID, .displayed)
            self.onMain { self.delegates.notifyShown(message) }
            self.awaitEnd(of: message)
        }
    }

    private func awaitEnd(of message: SDKMessage) {
        port.port?.call(.awaitInAppEnd(id: String(message.messageID))) { [weak self] reply in
            guard let self, case .inAppEnded(let isTap) = reply else { return }
            if isTap {
                self.report(message.messageID, .clicked)
                self.onMain { self.delegates.notifyTapped(message) }
            }
            self.update { $0.hasEnded(message) }
        }
    }

    func hide(_ message: SDKMessage) { port.port?.call(.hideInApp(id: String(message.messageID))) { _ in } }
}

extension DelegateBox {
    /// Tells both delegates of the same message.
    fileprivate func notifyShown(_ message: SDKMessage) {
        if let inApp = self.inApp {
            let first: (JPushInAppMessage) -> Void = inApp.jPush(inAppMessageDidShow:)
            first(JPushInAppMessage(message))
        }
        if let notiInApp = self.notiInApp {
            let first: ([AnyHashable: Any]) -> Void = notiInApp.jPushNotiInMessageDidShow(withContent:)
            first(message.payload)
        }
    }

    fileprivate func notifyTapped(_ message: SDKMessage) {
        if let inApp = self.inApp {
            let first: (JPushInAppMessage) -> Void = inApp.jPush(inAppMessageDidClick:)
            first(JPushInAppMessage(message))
        }
        if let notiInApp = self.notiInApp {
            let first: ([AnyHashable: Any]) -> Void = notiInApp.jPushNotiInMessageDidClick(withContent:)
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
        payload[PayloadMessageID.key] = messageID
        return payload
    }
}
