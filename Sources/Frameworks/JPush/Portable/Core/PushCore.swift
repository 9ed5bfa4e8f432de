#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient
import UIKit

/// The SDK in an app's process: JPush's rules over the client. What it has from the system is in `Surroundings`.
///
/// `@unchecked Sendable`: the members are read and changed under the lock only; an app's delegates are called on the main thread.
final class PushCore: @unchecked Sendable {
    private struct Members {
        var isSetUp = false
        /// The messages of which the user has opened the notification, in this process.
        var opened: Set<Int64> = []
        var gates = CallGates()
        var lastCall: Int64 = 0
        var isInFront = false
        var staysInBackground = false
        var isQuiet = false
    }

    private let lock = NSLock()
    private var members = Members()
    /// Held while the client is made.
    private let making = NSLock()
    private var made: PosthornClient?
    let surroundings: Surroundings
    let delegates = DelegateBox()
    let center: CenterDelegate

    init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
        center = CenterDelegate(delegates)
    }

    private func with<Value>(_ body: (inout Members) -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body(&members)
    }

    // MARK: Start

    /// The client, which has the state of an earlier process from the first call on.
    var client: PosthornClient {
        making.lock()
        defer { making.unlock() }
        if let made { return made }
        let client = makeClient()
        made = client
        return client
    }

    private func makeClient() -> PosthornClient {
        let log: @Sendable (String) -> Void = { [weak self] in self?.log($0, isError: false) }
        let client: PosthornClient
        do {
            var configuration = try surroundings.configuration()
            configuration.log = log
            client = PosthornClient(configuration)
        } catch {
            let mistake =
                error as? PosthornError
                ?? PosthornError(code: PosthornError.notRegistered, message: error.localizedDescription)
            client = PosthornClient(refusing: mistake, log: log)
        }
        client.onIdentity { [weak self] result, isNew in self?.announce(result, isNew: isNew) }
        client.onNetwork { [weak self] in self?.announce($0) }
        client.onTokenWanted { [weak self] in self?.surroundings.registerForRemoteNotifications() }
        client.onTakeBack { [weak self] in self?.remove($0) }
        client.onMessage(
            turn: { [weak self] message, take in self?.prepare(message, take) },
            handler: { [weak self] in self?.deliver($0) }
        )
        return client
    }

    /// Starts the client, once in a process. The app says how it was built; only the build itself counts.
    func setUp(appKey: String, channel: String?, isProduction: Bool) {
        let isFirst = with { members in
            defer { members.isSetUp = true }
            return !members.isSetUp
        }
        guard isFirst else { return }
        if let build = surroundings.environment, (build == .production) != isProduction {
            let said = isProduction ? "production" : "development"
            complain("apsForProduction says \(said), and the app is signed for \(build.rawValue); the signing counts")
        }
        client.start(appKey: appKey, channel: channel)
        reportPermission()
    }

    var registrationID: String? { client.currentRegistration?.id }

    // MARK: Limits

    /// Admits a call of the app's with an answer, and returns its number, or the code of its refusal before anything is sent.
    func enter(_ operation: DeviceOperation) -> (call: Int64, code: Int?) {
        let isPushOff = client.isPushOff
        let now = surroundings.seconds
        return with { members in
            members.lastCall += 1
            let call = members.lastCall
            return (call, members.gates.enter(call, operation.limits, isPushOff: isPushOff, at: now))
        }
    }

    func leave(_ call: Int64) { with { $0.gates.leave(call) } }

    /// Whether another call about tags, alias or properties is allowed.
    func admitsLabels() -> Bool {
        let now = surroundings.seconds
        return with { $0.gates.admits(.labels, at: now) }
    }

    // MARK: Life cycle

    /// The notifications that are posted when the app moves, and whether it is in front from then on.
    static let moves: [(NSNotification.Name, Bool)] = [
        (UIApplication.willEnterForegroundNotification, true), (UIApplication.didBecomeActiveNotification, true),
        (UIApplication.didEnterBackgroundNotification, false),
    ]

    func moved(toFront isInFront: Bool) {
        let hasLink = with { members in
            members.isInFront = isInFront
            return isInFront || members.staysInBackground
        }
        client.setInFront(hasLink)
        movedInApp(toFront: isInFront)
        if isInFront { reportPermission() }
    }

    func stayInBackground(_ stays: Bool) {
        let hasLink = with { members in
            members.staysInBackground = stays
            return members.isInFront || stays
        }
        client.setInFront(hasLink)
    }

    // MARK: Receipts

    func noteOpened(_ userInfo: [AnyHashable: Any]) {
        guard let id = PosthornClient.messageID(in: userInfo) else { return }
        with { _ = $0.opened.insert(id) }
    }

    /// Reports a push by its payload: as opened if the user has opened its notification.
    func report(_ userInfo: [AnyHashable: Any], isOpened: Bool = false, isVoIP: Bool = false) {
        if let order = TakeBack(userInfo: userInfo) { return remove(order) }
        guard let id = PosthornClient.messageID(in: userInfo) else { return }
        let isOpened = isOpened || !isVoIP && (with { $0.opened.contains(id) } || surroundings.isOpened(id))
        report(id, isOpened ? .opened : .received)
    }

    func report(_ id: Int64, _ event: Receipt.Event) { client.report(event, of: id, at: surroundings.date) }

    // MARK: Notifications of the SDK

    private func announce(_ result: Result<Registration, PosthornError>, isNew: Bool) {
        switch result {
        case .success(let registration):
            guard isNew else { return }
            forgetMessages()
            post(.jpfNetworkDidRegister, ["RegistrationID": registration.id])
        case .failure(let error):
            post(.jpfNetworkFailedRegister)
            complain(error.description)
        }
    }

    private func announce(_ event: NetworkEvent) {
        switch event {
        case .connecting: post(.jpfNetworkIsConnecting)
        case .connected: post(.jpfNetworkDidSetup)
        case .loggedIn:
            let user = client.currentRegistration?.userID.map { "uid \($0), " } ?? ""
            log("Logged in: \(user)registrationID \(registrationID ?? "").", isError: false)
            post(.jpfNetworkDidLogin)
        case .closed: post(.jpfNetworkDidClose)
        case .unreachable(let error): complain(error.message)
        }
    }

    /// Posts a custom message, at once in the turn of the main thread in which it was taken.
    func post(_ message: CustomMessage) {
        let post: @Sendable () -> Void = {
            var info: [String: Any] = ["content": message.content, "_j_msgid": String(message.id)]
            info["title"] = message.title
            info["content_type"] = message.contentType
            if message.extrasJSON != nil { info["extras"] = message.extras }
            NotificationCenter.default.post(name: .jpfNetworkDidReceiveMessage, object: nil, userInfo: info)
        }
        if surroundings.isMainThread { post() } else { onMain(post) }
    }

    private func post(_ name: NSNotification.Name, _ info: [String: String]? = nil) {
        onMain { NotificationCenter.default.post(name: name, object: nil, userInfo: info) }
    }

    /// Runs an app's closure on the main thread, after this call, in the order of the calls.
    func onMain(_ body: @escaping () -> Void) {
        let body = Boxed(body)
        surroundings.onMain { body.value() }
    }

    /// Reports a mistake in the log and to observers of errors.
    func complain(_ text: String) {
        log(text, isError: true)
        post(.jpfServiceError, ["error": text])
    }

    func setLog(isQuiet: Bool) { with { $0.isQuiet = isQuiet } }

    func warn(_ text: String) { log(text, isError: true) }

    func log(_ text: String, isError: Bool) {
        guard isError || !with({ $0.isQuiet }) else { return }
        surroundings.write(text)
    }
}

#endif
