#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient
import UIKit
import UserNotifications

/// The SDK in an app's process: the client, once the app has set it up, and what waits for it.
///
/// `@unchecked Sendable`: the members are read and changed under the lock only; an app's delegates are called on the main thread.
final class PushCore: @unchecked Sendable {
    static let current = PushCore()

    private struct Members {
        var client: PosthornClient?
        /// Why there is no client; nil before `setup`.
        var failure: PosthornError?
        var early: [(Result<PosthornClient, PosthornError>) -> Void] = []
        /// The messages of which the user has opened the notification, in this process.
        var opened: Set<Int64> = []
        var service: URL?
        var gates = CallGates()
        var lastCall: Int64 = 0
        var staysInBackground = false
        var isQuiet = false
        var observers: [any NSObjectProtocol] = []
    }

    private let lock = NSLock()
    private var members = Members()
    let delegates: DelegateBox
    let center: CenterDelegate

    private init() {
        let delegates = DelegateBox()
        self.delegates = delegates
        center = CenterDelegate(delegates) { PushCore.current.noteOpened($0) }
    }

    private func with<Value>(_ body: (inout Members) -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body(&members)
    }

    // MARK: Start

    func setService(_ url: URL) { with { $0.service = url } }

    /// Creates the client, once in a process. The app says how it was built; only the build itself counts.
    func setUp(appKey: String, channel: String?, isProduction: Bool) {
        guard with({ $0.client == nil && $0.failure == nil }) else { return }
        do {
            var configuration = try RunningApp.configuration(
                service: with { $0.service },
                appKey: appKey,
                channel: channel
            )
            configuration.log = { [weak self] in self?.log($0, isError: false) }
            if (configuration.values.environment == .production) != isProduction {
                let built = configuration.values.environment.rawValue
                complain("apsForProduction is \(isProduction), and the app is signed for \(built); the signing counts")
            }
            begin(PosthornClient(configuration))
        } catch let error as PosthornError {
            fail(error)
        } catch {
            fail(PosthornError(code: PosthornError.notRegistered, message: error.localizedDescription))
        }
    }

    private func begin(_ client: PosthornClient) {
        client.onIdentity { [weak self] result, isNew in self?.announce(result, isNew: isNew) }
        client.onMessage(turn: { take in runOnMain { take() } }, handler: { [weak self] in self?.post($0) })
        client.onNetwork { [weak self] in self?.announce($0) }
        client.onTokenWanted { runOnMain { UIApplication.shared.registerForRemoteNotifications() } }
        client.start()
        let waiting = takeEarly { $0.client = client }
        for body in waiting { body(.success(client)) }
        observeLifeCycle(client)
        reportPermission()
    }

    private func fail(_ error: PosthornError) {
        let waiting = takeEarly { $0.failure = error }
        complain(error.description)
        post(.jpfNetworkFailedRegister)
        for body in waiting { body(.failure(error)) }
    }

    /// Changes the members, and returns what has waited for that.
    private func takeEarly(_ change: (inout Members) -> Void) -> [(Result<PosthornClient, PosthornError>) -> Void] {
        with { members in
            change(&members)
            defer { members.early = [] }
            return members.early
        }
    }

    /// Runs the body with the client, or with the reason that there is none; before `setup` it waits.
    func run(_ body: @escaping (Result<PosthornClient, PosthornError>) -> Void) {
        let ready: Result<PosthornClient, PosthornError>? = with { members in
            if let client = members.client { return .success(client) }
            if let failure = members.failure { return .failure(failure) }
            members.early.append(body)
            return nil
        }
        if let ready { body(ready) }
    }

    /// Runs the body with the client, as soon as there is one; if there will be none, `answer` gets the reason.
    func withClient<Value>(
        _ answer: @escaping (Result<Value, PosthornError>) -> Void,
        _ body: @escaping (PosthornClient) -> Void
    ) {
        run { result in
            switch result {
            case .success(let client): body(client)
            case .failure(let error): answer(.failure(error))
            }
        }
    }

    func withClient(_ body: @escaping (PosthornClient) -> Void) { withClient({ (_: Result<Never, _>) in }, body) }

    var registrationID: String? { with { $0.client }?.currentRegistration?.id }

    // MARK: Limits

    /// Admits a call of the app's with an answer, and returns its number, or the code of its refusal before anything is sent.
    func enter(_ operation: DeviceOperation) -> (call: Int64, code: Int?) {
        let isPushOff = with { $0.client }?.isPushOff ?? false
        let now = ProcessInfo.processInfo.systemUptime
        return with { members in
            members.lastCall += 1
            let call = members.lastCall
            return (call, members.gates.enter(call, operation.limits, isPushOff: isPushOff, at: now))
        }
    }

    func leave(_ call: Int64) { with { $0.gates.leave(call) } }

    /// Whether another call about tags, alias or properties is allowed.
    func admitsLabels() -> Bool { with { $0.gates.admits(.labels, at: ProcessInfo.processInfo.systemUptime) } }

    // MARK: Life cycle

    private func observeLifeCycle(_ client: PosthornClient) {
        let names: [(NSNotification.Name, Bool)] = [
            (UIApplication.willEnterForegroundNotification, true), (UIApplication.didBecomeActiveNotification, true),
            (UIApplication.didEnterBackgroundNotification, false),
        ]
        let observers = names.map { name, isInFront in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                let stays = self?.with { $0.staysInBackground } ?? false
                client.setInFront(isInFront || stays)
                if isInFront { self?.reportPermission() }
            }
        }
        with { $0.observers = observers }
        runOnMain { if UIApplication.shared.applicationState != .background { client.setInFront(true) } }
    }

    func stayInBackground(_ stays: Bool) { with { $0.staysInBackground = stays } }

    /// Tells the service what the user allows: its diagnosis explains it.
    func reportPermission() {
        UNUserNotificationCenter.current().getNotificationSettings { [weak self] settings in
            let permission = DeviceValues.Permission(settings)
            self?.withClient { $0.setPermission(permission) }
        }
    }

    // MARK: Receipts

    func noteOpened(_ userInfo: [AnyHashable: Any]) {
        guard let id = PosthornClient.messageID(in: userInfo) else { return }
        with { _ = $0.opened.insert(id) }
    }

    /// Reports a push by its payload: as opened if the user has opened its notification.
    func report(_ userInfo: [AnyHashable: Any], isOpened: Bool = false, isVoIP: Bool = false) {
        guard let id = PosthornClient.messageID(in: userInfo) else { return }
        let isOpened = isOpened || !isVoIP && with { $0.opened.contains(id) }
        withClient { $0.report(isOpened ? .opened : .received, of: id) }
    }

    // MARK: Notifications of the SDK

    private func announce(_ result: Result<Registration, PosthornError>, isNew: Bool) {
        switch result {
        case .success(let registration):
            if isNew { post(.jpfNetworkDidRegister, ["RegistrationID": registration.id]) }
        case .failure(let error):
            complain(error.description)
            post(.jpfNetworkFailedRegister)
        }
    }

    private func announce(_ event: NetworkEvent) {
        switch event {
        case .connecting: post(.jpfNetworkIsConnecting)
        case .connected: post(.jpfNetworkDidSetup)
        case .loggedIn:
            log("Logged in: registrationID \(registrationID ?? "").", isError: false)
            post(.jpfNetworkDidLogin)
        case .closed: post(.jpfNetworkDidClose)
        case .unreachable(let error): complain(error.message)
        }
    }

    private func post(_ message: CustomMessage) {
        // In-app messages are the system's to show: this layer has no view of its own.
        guard !message.isInApp else { return }
        let message = Boxed(message)
        runOnMain {
            let message = message.value
            var info: [String: Any] = ["content": message.content, "_j_msgid": String(message.id)]
            info["title"] = message.title
            info["content_type"] = message.contentType
            if !message.extras.isEmpty { info["extras"] = message.extras }
            NotificationCenter.default.post(name: .jpfNetworkDidReceiveMessage, object: nil, userInfo: info)
        }
    }

    private func post(_ name: NSNotification.Name, _ info: [String: String]? = nil) {
        runOnMain { NotificationCenter.default.post(name: name, object: nil, userInfo: info) }
    }

    /// Reports a mistake in the log and to observers of errors.
    func complain(_ text: String) {
        log(text, isError: true)
        post(.jpfServiceError, ["error": text])
    }

    func setLog(isQuiet: Bool) { with { $0.isQuiet = isQuiet } }

    func log(_ text: String, isError: Bool) {
        guard isError || !with({ $0.isQuiet }) else { return }
        FileHandle.standardError.write(Data("JPush: \(text)\n".utf8))
    }
}

extension DeviceValues.Permission {
    /// The permission of the system's settings.
    init(_ settings: UNNotificationSettings) {
        var isScheduled = false
        if #available(iOS 15, *) { isScheduled = settings.scheduledDeliverySetting == .enabled }
        self.init(
            status: settings.authorizationStatus.rawValue,
            hasBanners: settings.alertSetting != .disabled,
            isScheduled: isScheduled
        )
    }
}

/// Runs the body on the main thread, after this call, in the order of the calls.
func runOnMain(_ body: @escaping @MainActor @Sendable () -> Void) { DispatchQueue.main.async { body() } }

/// An app's completion, which the SDK calls on the main thread.
struct MainCall<Completion>: Sendable {
    private let boxed: Boxed<Completion?>

    init(_ completion: Completion?) { boxed = Boxed(completion) }

    /// Calls `body` with the completion, on the main thread.
    func call(_ body: @escaping @Sendable (Completion?) -> Void) {
        let boxed = boxed
        runOnMain { body(boxed.value) }
    }
}

#endif
