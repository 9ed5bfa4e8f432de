import DeviceLink
import Foundation
import PushClock
import PushModel
import SystemPort
import UserNotifications

// Calls from apps.

extension JPushClient {
    var registrationID: String? { state.read(\.registrationID) }

    func setUp(_ setup: JPushState.Setup) { update { $0.setUp(setup) } }

    func setToken(_ token: DeviceToken) { update { $0.setToken(token) } }

    func whenRegistered(_ handler: @escaping (Int32, String?) -> Void) {
        let handler = Handoff(handler)
        update { state in state.whenRegistered({ handler.value($0, $1) }) }
    }

    /// Sends an operation to the service and calls `answer` once, on the main thread.
    func request(_ operation: JPushState.Operation, _ answer: @escaping (SDKReply) -> Void) {
        let answer = Handoff(answer)
        var operation = operation
        operation.answer = { answer.value($0) }
        let (asked, now) = (operation, now)
        update { $0.request(asked, at: now) }
    }

    /// Counts a call that is answered without the service.
    ///
    /// - Returns: false if the call exceeds the limit.
    func admits(_ rate: JPushState.Rate) -> Bool {
        let now = now
        return state.update(perform: perform) { state in state.admits(rate, at: now) }
    }

    func report(_ messageID: Int64, _ event: SDKReceipt.Event) {
        let receipt = SDKReceipt(messageID: messageID, event: event, time: Int64(now.timeIntervalSince1970))
        update { $0.report(receipt) }
    }

    /// Reports a mistake of the app's, in the log and to error observers.
    func complain(_ text: String) { update { $0.complain(text) } }

}

extension JPushState.NetworkEvent {
    func post() {
        let (name, info): (NSNotification.Name, [String: String]?) =
            switch self {
            case .isConnecting: (.jpfNetworkIsConnecting, nil)
            case .didSetup: (.jpfNetworkDidSetup, nil)
            case .didClose: (.jpfNetworkDidClose, nil)
            case .didRegister(let id): (.jpfNetworkDidRegister, ["RegistrationID": id])
            case .failedRegister: (.jpfNetworkFailedRegister, nil)
            case .didLogin: (.jpfNetworkDidLogin, nil)
            case .serviceError(let text): (.jpfServiceError, ["error": text])
            }
        NotificationCenter.default.post(name: name, object: nil, userInfo: info)
    }
}
