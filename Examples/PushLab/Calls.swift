import CallKit
import Foundation
import PushKit
import UIKit

#if canImport(AVFoundation)
import AVFoundation
#endif

#if canImport(JPush)
import JPush
#endif

/// Calls that ring by VoIP push, and that the user answers or declines.
///
/// From iOS 11 on, where the method for pushes has a completion handler. CallKit appeared in iOS 10.
@MainActor
public final class Calls: NSObject {
    private let settings: PushLabSettings
    private let log: CallbackLog
    private var registry: PKPushRegistry?
    private var provider: CXProvider?
    /// The callers of the current calls.
    private var callers: [UUID: String] = [:]

    init(settings: PushLabSettings, log: CallbackLog) {
        self.settings = settings
        self.log = log
        super.init()
    }

    /// Registers for VoIP pushes. Call it at each launch: a push may have launched the app.
    func start() {
        guard Generation.isAtLeast("11") else { return }
        let provider = CXProvider(configuration: CXProviderConfiguration())
        provider.setDelegate(self, queue: nil)
        self.provider = provider
        let registry = PKPushRegistry(queue: .main)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        self.registry = registry
    }

    private func name(of call: UUID) -> String { callers[call] ?? "unknown" }
}

extension Calls: @preconcurrency PKPushRegistryDelegate {
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {
        log.add("pushRegistry(_:didUpdate:for:)", pushCredentials.token.hexadecimal)
        if settings.appKey != nil { JPUSHService.registerVoipToken(pushCredentials.token) }
    }

    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        log.add("pushRegistry(_:didInvalidatePushTokenFor:)", type.rawValue)
    }

    /// Reports the call at once: the system ends an app that reports none, and stops launching it.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let caller = payload.dictionaryPayload["caller"] as? String ?? "unknown"
        log.add("pushRegistry(_:didReceiveIncomingPushWith:for:completion:)", caller)
        let call = (payload.dictionaryPayload["uuid"] as? String).flatMap { UUID(uuidString: $0) } ?? UUID()
        callers[call] = caller
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: caller)
        provider?.reportNewIncomingCall(with: call, update: update) { [weak self] error in
            MainActor.assumeIsolated { self?.reported(call, error) }
        }
        completion()
    }

    private func reported(_ call: UUID, _ error: (any Error)?) {
        log.add("reportNewIncomingCall(with:update:completion:)", error.map { "\($0)" } ?? name(of: call))
        if error != nil { callers[call] = nil }
    }
}

extension Calls: @preconcurrency CXProviderDelegate {
    public func providerDidReset(_ provider: CXProvider) {
        log.add("providerDidReset(_:)")
        callers = [:]
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        log.add("provider(_:perform:)", "CXAnswerCallAction \(name(of: action.callUUID))")
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        log.add("provider(_:perform:)", "CXEndCallAction \(name(of: action.callUUID))")
        callers[action.callUUID] = nil
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        log.add("provider(_:timedOutPerforming:)", "\(type(of: action))")
    }

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        log.add("provider(_:didActivate:)")
    }

    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        log.add("provider(_:didDeactivate:)")
    }
}
