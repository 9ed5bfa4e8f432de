import DeviceLink
import Foundation
import PushModel
import SystemPort
import UserNotifications

// Calls from apps.

extension JPushClient {
    var registrationID: String? { state.read(\.registrationID) }

    /// The client of the calling app.
    static var current: JPushClient { .of(CurrentPort.find()) }

    var local: LocalNotifications { LocalNotifications(client: self, port: CurrentPort.find()) }

    func setUp(appKey: String, channel: String?, isProduction: Bool) {
        let environment: APNSEnvironment = isProduction ? .production : .development
        update { $0.setUp(JPushState.Setup(appKey: appKey, channel: channel, environment: environment)) }
    }

    func setToken(_ token: Data) { update { $0.setToken(DeviceToken(bytes: token)) } }

    func whenRegistered(_ handler: @escaping (Int32, String?) -> Void) {
        let handler = Handoff(handler)
        update { state in state.whenRegistered({ handler.value($0, $1) }) }
    }

    /// Sends an operation to the service and calls `answer` once, on the main thread.
    func request(_ operation: JPushState.Operation, _ answer: @escaping (SDKReply) -> Void) {
        let answer = Handoff(answer)
        var operation = operation
        operation.answer = { answer.value($0) }
        let asked = operation
        let now = now
        update { $0.request(asked, at: now) }
    }

    /// Whether another call about tags, alias or properties is allowed.
    func admitsLabels() -> Bool {
        let now = now.timeIntervalSinceReferenceDate
        return state.update(perform: perform) { state in state.gates.admits(.labels, at: now) }
    }

    /// Reports a push by its payload: as opened if the user has acted on its notification.
    func report(_ payload: [AnyHashable: Any], isVoIP: Bool = false) {
        guard let id = PayloadMessageID.read(payload) else { return }
        report(id, !isVoIP && isOpened(id) ? .opened : .received)
    }

    func report(_ messageID: Int64, _ event: SDKReceipt.Event) {
        let receipt = SDKReceipt(messageID: messageID, event: event, time: Int64(now.timeIntervalSince1970))
        update { $0.report(receipt) }
    }

    func stayInBackground(_ stays: Bool) { update { $0.stayInBackground(stays) } }

    func setHeartbeat(_ seconds: Int) {
        guard 30...290 ~= seconds else {
            return complain("the heartbeat interval is 30 to 290 seconds, not \(seconds)")
        }
        update { $0.heartbeat = .seconds(seconds) }
    }

    func setLog(isQuiet: Bool) { log.set(isQuiet ? .warning : .debug) }

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

extension JPushClient {
    /// The time for which a push is held for its report; the system gives an extension about 30 seconds.
    static let extensionPatience = Duration.seconds(5)

    /// Reports a push and calls `done` once, on the main thread.
    func reportFromExtension(_ messageID: Int64, _ done: @escaping () -> Void) {
        let done = Handoff(done)
        let receipt = SDKReceipt(messageID: messageID, event: .received, time: Int64(now.timeIntervalSince1970))
        update { state in state.report(receipt) { _ in done.value() } }
        set(.extension, after: Self.extensionPatience) { $0.release(SDKLinkClient.timeout) }
    }
}
