#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient

// The calls of an app that go to the service.

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

    /// The name for the log.
    fileprivate var name: Substring { String(describing: self).prefix { $0 != "(" } }
}

extension PushCore {
    /// Sends a request under the limits of its kind, and calls `answer` once, on the main thread.
    func request(_ request: DeviceOperation, _ answer: @escaping (ServiceAnswer) -> Void) {
        let answer = Boxed(answer)
        let (call, code) = enter(request)
        let finish: @Sendable (Result<DeviceAnswer, PosthornError>) -> Void = { [weak self] result in
            guard let self else { return }
            self.leave(call)
            if case .failure(let error) = result {
                self.log("\(request.name): code \(error.code), \(error.message)", isError: true)
            }
            self.notePushSwitch()
            self.onMain { answer.value(ServiceAnswer(result)) }
        }
        if let code { return finish(.failure(PosthornError(code: code, message: ResultCode.text(code)))) }
        client.perform(request, keeping: .whileAwaited, completion: finish)
    }

    /// Sends a request for whose answer nobody waits: it is kept until the service has answered.
    func send(_ request: DeviceOperation) { client.perform(request, completion: nil) }

    /// Asks the user for permission, and the system for a token.
    func register(_ types: Int, _ categories: Set<AnyHashable>?) {
        let categories = categories ?? []
        setCategories(categories)
        // Plugins of Flutter and React Native do so at launch, before the app asks: a question for nothing would be the only one.
        if types == 0 { reportAuthorization() } else { askForPermission(types, categories) }
        surroundings.registerForRemoteNotifications()
    }

    /// Tells the service and the app what the user allows.
    func reportAuthorization() {
        reportPermission()
        status { [delegates] in delegates.notify($0) }
    }

    func setToken(_ token: Data) { client.setDeviceToken(token) }

    func setVoIPToken(_ token: Data) { client.setVoIPToken(token) }

    /// Sends a token, and answers with the service's code.
    func setActivityToken(_ token: Data?, of name: String, isStart: Bool, _ answer: @escaping (Int) -> Void) {
        let answer = Boxed(answer)
        let finish: @Sendable (Result<DeviceAnswer, PosthornError>) -> Void = { [weak self] result in
            self?.onMain { answer.value(ServiceAnswer(result).code) }
        }
        if isStart {
            client.setActivityStartToken(token, for: name, completion: finish)
        } else {
            client.setActivityToken(token, for: name, completion: finish)
        }
    }

    func whenRegistered(_ handler: @escaping (Int32, String?) -> Void) {
        let handler = Boxed(handler)
        client.whenRegistered { [weak self] result in
            self?.onMain {
                switch result {
                case .success(let registration): handler.value(0, registration.id)
                case .failure(let error): handler.value(Int32(clamping: error.code), nil)
                }
            }
        }
    }

    func setHeartbeat(_ seconds: Int) {
        guard 30...290 ~= seconds else {
            return complain("the heartbeat interval is 30 to 290 seconds, not \(seconds)")
        }
        client.setHeartbeat(TimeInterval(seconds))
    }
}

#endif
