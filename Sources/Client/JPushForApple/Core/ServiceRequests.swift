#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient
import UIKit
import UserNotifications

// What the files in Shared ask for, over HTTPS.

typealias ServiceClient = PushCore
typealias ServiceRequest = DeviceOperation

/// The service's answer to a request; the members depend on it.
struct ServiceAnswer {
    /// 0, or a client result code of the SDK.
    var code: Int
    var message: String?
    var tags: [String]?
    var alias: String?
    var isBound: Bool?
    var isOn: Bool?
}

extension PushCore {
    /// Runs an app's closure on the main thread, after this call, in the order of the calls.
    func onMain(_ body: @escaping () -> Void) { MainCall(body).call { $0?() } }

    /// Sends a request, and calls `answer` once, on the main thread.
    func request(_ request: DeviceOperation, _ answer: @escaping (ServiceAnswer) -> Void) {
        let answer = MainCall(answer)
        run { result in
            guard case .success(let client) = result else {
                if case .failure(let error) = result {
                    answer.call { $0?(ServiceAnswer(code: error.code, message: error.message)) }
                }
                return
            }
            client.perform(request) { [weak self] result in
                switch result {
                case .success(let given):
                    let found = ServiceAnswer(
                        code: 0,
                        tags: given.tags,
                        alias: given.alias,
                        isBound: given.isBound,
                        isOn: given.isOn
                    )
                    answer.call { $0?(found) }
                case .failure(let error):
                    self?.log(error.description, isError: true)
                    answer.call { $0?(ServiceAnswer(code: error.code, message: error.message)) }
                }
            }
        }
    }

    /// Sends a request for whose answer nobody waits: it is kept until the service has answered.
    func send(_ request: DeviceOperation) { withClient { $0.perform(request, completion: nil) } }

    func setVoIPToken(_ token: Data) { withClient { $0.setVoIPToken(token) } }

    /// Stores a token on the device, which sends it, and answers 0.
    func setActivityToken(_ token: Data?, of name: String, isStart: Bool, _ answer: @escaping (Int) -> Void) {
        withClient { client in
            if isStart {
                client.setActivityStartToken(token, for: name)
            } else {
                client.setActivityToken(token, for: name)
            }
        }
        onMain { answer(0) }
    }

    /// Whether another call about tags, alias or properties is allowed; the service counts those that reach it.
    func admitsLabels() -> Bool { true }

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
