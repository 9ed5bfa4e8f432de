import DeviceLink
import Foundation
import Synchronization
import SystemPort
import UserNotifications

extension JPushClient {
    /// Tells the app of a custom message.
    ///
    /// The position is on the device's disk before the app hears, and the app hears before the service does: a process
    /// that dies before the first of these gets the message again, after the second the service is told at the next
    /// login. Between the first and the app's hearing is the one window, and in it a message is lost, never doubled: a
    /// message whose observer ends the process shall not end the next one too. Where the port answers within the call
    /// the window is as short as the way from there to the observer; else a turn of the main thread is in it.
    func tell(_ message: SDKMessage) {
        let addressee = state.read(\.registrationID)
        onMain { [weak self] in
            guard let self, let port = self.port.port else { return }
            guard let id = addressee, id == self.state.read(\.registrationID) else {
                return self.update { state, effects in state.passedOver(message, &effects) }
            }
            let position = StoredPosition(registrationID: id, position: message.position)
            let write = SystemCall.writeStorage(key: StoreKey.position.rawValue, value: position.text)
            let turn = Turn()
            port.call(write) { [weak self] _ in
                // Never in here: the port may be at work for others, and the app's observer may ask it something.
                // Where the position could not be written the message may come again after a restart, and no other is held up.
                if turn.isAnswered() { self?.onMain { self?.announce(message) } }
            }
            if turn.isOver() { self.announce(message) }
        }
    }

    private func announce(_ message: SDKMessage) {
        message.post()
        update { state, effects in state.told(message, &effects) }
    }
}

/// Which comes first: the answer, or the return of the call.
private final class Turn: Sendable {
    private let state = Mutex((isAnswered: false, isOver: false))

    /// - Returns: whether the call has returned by now.
    func isAnswered() -> Bool {
        state.withLock { state in
            state.isAnswered = true
            return state.isOver
        }
    }

    /// - Returns: whether the answer has come by now.
    func isOver() -> Bool {
        state.withLock { state in
            state.isOver = true
            return state.isAnswered
        }
    }
}

extension SDKMessage {
    /// `_j_msgid` is a string here, and a number in the payload of a notification: so apps read them.
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
