#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient
import UIKit
import UserNotifications

// What the files in Shared ask for, over HTTPS.

typealias ServiceClient = PushCore
typealias ServiceRequest = DeviceOperation

/// The service's answer to a request, or its refusal.
@dynamicMemberLookup
struct ServiceAnswer {
    /// 0, or a client result code of the SDK.
    var code: Int
    var message: String?
    private let given: DeviceAnswer

    init(_ result: Result<DeviceAnswer, PosthornError>) {
        switch result {
        case .success(let answer):
            code = 0
            given = answer
        case .failure(let error):
            code = error.code
            message = error.message
            given = DeviceAnswer()
        }
    }

    subscript<Value>(dynamicMember path: KeyPath<DeviceAnswer, Value>) -> Value { given[keyPath: path] }
}

extension DeviceOperation {
    /// The limits of its kind.
    var limits: CallGates.Limits {
        switch self {
        case .addTags, .setTags, .deleteTags, .cleanTags, .getTags, .checkTag: .init(gate: .tags, rate: .labels)
        case .setAlias, .deleteAlias, .getAlias: .init(gate: .alias, rate: .labels)
        case .setMobile: .init(rate: .mobile)
        case .setPush, .getPush, .declineTopics, .getTopics: .init(ignoresSwitch: true)
        case .setBadge, .setAttributes: .init()
        }
    }
}

extension PushCore {
    var local: CenterNotifications { CenterNotifications(client: self) }

    func register(_ types: Int, _ categories: Set<AnyHashable>?, delegate: (any JPUSHRegisterDelegate)?) {
        delegates.register = delegate
        UNUserNotificationCenter.current().delegate = self.center
        register(types, categories)
    }

    /// Asks the user for permission, and the system for a token.
    func register(_ types: Int, _ categories: Set<AnyHashable>?) {
        let center = UNUserNotificationCenter.current()
        let known = Set((categories ?? []).compactMap { $0.base as? UNNotificationCategory })
        if !known.isEmpty { center.setNotificationCategories(known) }
        let report: @Sendable () -> Void = {
            self.reportPermission()
            self.status { self.delegates.notify($0) }
        }
        // Plugins of Flutter and React Native do so at launch, before the app asks: a question for nothing would be the only one.
        if types == 0 {
            report()
        } else {
            let options = UNAuthorizationOptions(rawValue: UInt(bitPattern: types))
            center.requestAuthorization(options: options) { _, _ in report() }
        }
        runOnMain { UIApplication.shared.registerForRemoteNotifications() }
    }

    func setToken(_ token: Data) { withClient { $0.setDeviceToken(token) } }

    func whenRegistered(_ handler: @escaping (Int32, String?) -> Void) {
        let handler = MainCall(handler)
        let answer: @Sendable (Result<Registration, PosthornError>) -> Void = { result in
            switch result {
            case .success(let registration): handler.call { $0?(0, registration.id) }
            case .failure(let error): handler.call { $0?(Int32(error.code), nil) }
            }
        }
        withClient(answer) { $0.whenRegistered(answer) }
    }

    /// Reports a notification of the launch options: a tap; in the background it is the push that woke the app.
    func noteLaunch(_ payload: [AnyHashable: Any]) {
        let boxed = Boxed(payload)
        let report: @MainActor @Sendable () -> Void = {
            self.report(boxed.value, isOpened: UIApplication.shared.applicationState != .background)
        }
        if Thread.isMainThread {
            MainActor.assumeIsolated(report)
        } else {
            runOnMain(report)
        }
    }

    func setHeartbeat(_ seconds: Int) {
        guard 30...290 ~= seconds else {
            return complain("the heartbeat interval is 30 to 290 seconds, not \(seconds)")
        }
        withClient { $0.setHeartbeat(TimeInterval(seconds)) }
    }

    /// No effect: this layer shows no in-app messages.
    func enter(page: String) {}

    /// No effect: this layer shows no in-app messages.
    func leave(page: String) {}

    /// Runs an app's closure on the main thread, after this call, in the order of the calls.
    func onMain(_ body: @escaping () -> Void) { MainCall(body).call { $0?() } }

    /// Sends a request under the limits of its kind, and calls `answer` once, on the main thread.
    func request(_ request: DeviceOperation, _ answer: @escaping (ServiceAnswer) -> Void) {
        let answer = MainCall(answer)
        let (call, code) = enter(request)
        let finish: @Sendable (Result<DeviceAnswer, PosthornError>) -> Void = { [weak self] result in
            self?.leave(call)
            if case .failure(let error) = result { self?.log(error.description, isError: true) }
            answer.call { $0?(ServiceAnswer(result)) }
        }
        if let code { return finish(.failure(PosthornError(code: code, message: ResultCode.text(code)))) }
        withClient(finish) { $0.perform(request, keeping: .whileAwaited, completion: finish) }
    }

    /// Sends a request for whose answer nobody waits: it is kept until the service has answered.
    func send(_ request: DeviceOperation) { withClient { $0.perform(request, completion: nil) } }

    func setVoIPToken(_ token: Data) { withClient { $0.setVoIPToken(token) } }

    /// Sends a token, and answers with the service's code.
    func setActivityToken(_ token: Data?, of name: String, isStart: Bool, _ answer: @escaping (Int) -> Void) {
        let answer = MainCall(answer)
        let finish: @Sendable (Result<DeviceAnswer, PosthornError>) -> Void = { result in
            answer.call { $0?(ServiceAnswer(result).code) }
        }
        withClient(finish) { client in
            if isStart {
                client.setActivityStartToken(token, for: name, completion: finish)
            } else {
                client.setActivityToken(token, for: name, completion: finish)
            }
        }
    }

    func warn(_ text: String) { log(text, isError: true) }

    /// Warns of the delegate's methods that are never called, which Objective-C's compiler does.
    func review(_ delegate: AnyObject?) {}

    /// - Parameter handler: called on the main thread with the authorization status.
    func status(_ handler: @escaping (JPAuthorizationStatus) -> Void) {
        let handler = MainCall(handler)
        UNUserNotificationCenter.current().getNotificationSettings { settings in
            let status =
                JPAuthorizationStatus(rawValue: UInt(settings.authorizationStatus.rawValue)) ?? .statusAuthorized
            handler.call { $0?(status) }
        }
    }

    /// - Parameter handler: called on the main thread with whether the page was opened.
    func openSettings(_ handler: @escaping (Bool) -> Void) {
        let handler = MainCall(handler)
        MainCall({}).call { _ in
            MainActor.assumeIsolated {
                guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
                UIApplication.shared.open(url, options: [:]) { isOpen in handler.call { $0?(isOpen) } }
            }
        }
    }
}

#endif
