import DeviceLink
import Foundation
import Synchronization
import SystemPort
import UserNotifications

extension JPushClient {
    /// Delivers a custom message to the app.
    ///
    /// The position is stored on the device before the app receives the message, and the app receives it before the
    /// service gets the acknowledgement. A process that dies before the first step gets the message again; after the
    /// second, the service learns the position at the next login. A process that dies between storing the position and
    /// the delivery loses the message, but never gets it twice: a message whose observer crashes the process must not
    /// crash the next one too. If the port answers within the call, that window is as short as the path from there to
    /// the observer; otherwise it includes a turn of the main thread.
    func deliver(_ message: SDKMessage) {
        let addressee = state.read(\.registrationID)
        onMain { [weak self] in
            guard let self, let port = self.port.port else { return }
            guard let id = addressee, id == self.state.read(\.registrationID) else {
                return self.update { $0.passedOver(message) }
            }
            let position = StoredPosition(registrationID: id, position: message.position)
            let write = SystemCall.writeStorage(key: StoreKey.position.rawValue, value: position.text)
            let turn = Turn()
            port.call(write) { [weak self] _ in
                // Never in here: the port may be busy with others, and the app's observer may call it. If the position
                // could not be written, the message may come again after a restart, and no other one is delayed.
                if turn.isAnswered() { self?.onMain { self?.announce(message) } }
            }
            if turn.isOver() { self.announce(message) }
        }
    }

    private func announce(_ message: SDKMessage) {
        message.post()
        update { $0.delivered(message) }
    }
}

/// Determines which comes first: the answer, or the return of the call.
private final class Turn: Sendable {
    private let state = Mutex((isAnswered: false, isOver: false))

    /// - Returns: whether the call has returned.
    func isAnswered() -> Bool {
        state.withLock { state in
            state.isAnswered = true
            return state.isOver
        }
    }

    /// - Returns: whether the answer has arrived.
    func isOver() -> Bool {
        state.withLock { state in
            state.isOver = true
            return state.isAnswered
        }
    }
}

extension SDKMessage {
    /// The notification's user info. `_j_msgid` is a string here, but a number in the payload of a notification, as
    /// apps expect.
    fileprivate var userInfo: [String: Any] {
        var info: [String: Any] = ["content": content, "_j_msgid": String(messageID)]
        info["title"] = title
        info["content_type"] = contentType
        if let extras {
            info["extras"] = Dictionary(
                extras.foundation.compactMap { key, value in (key.base as? String).map { ($0, value) } },
                uniquingKeysWith: { _, last in last }
            )
        }
        return info
    }

    fileprivate func post() {
        NotificationCenter.default.post(name: .jpfNetworkDidReceiveMessage, object: nil, userInfo: userInfo)
    }
}
