import CallKit
import Foundation
import JPush
import PushKit

#if canImport(AVFoundation)
import AVFoundation
#endif

/// Calls of the courier: PushKit brings them, CallKit shows them.
@MainActor
final class CourierCalls: NSObject {
    private let registry = PKPushRegistry(queue: .main)
    private let provider: CXProvider

    override init() {
        let configuration = CXProviderConfiguration()
        configuration.supportedHandleTypes = [.generic]
        configuration.maximumCallGroups = 1
        provider = CXProvider(configuration: configuration)
        super.init()
    }

    /// Call it at each launch: the push that launched the app is waiting for the registry.
    func start() {
        provider.setDelegate(self, queue: .main)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }
}

extension CourierCalls: @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        guard type == .voIP else { return }
        JPUSHService.registerVoipToken(pushCredentials.token)
        print("PushKit has token \(pushCredentials.token.hexadecimal)")
    }

    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        print("VoIP token invalidated")
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        receive(payload)
        completion()
    }

    // Since iOS 26.4 in place of the method above.
    @available(iOS 26.4, *)
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping () -> Void
    ) {
        print("must report: \(metadata.mustReport)")
        receive(payload)
        completion()
    }

    /// Reports the call at once, without a task.
    private func receive(_ payload: PKPushPayload) {
        JPUSHService.handleVoipNotification(payload.dictionaryPayload)
        guard let text = payload.dictionaryPayload["call"] as? String, let call = UUID(uuidString: text) else {
            return print("no call in the push")
        }
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: "courier")
        update.localizedCallerName = payload.dictionaryPayload["caller"] as? String
        provider.reportNewIncomingCall(with: call, update: update) { error in
            print(error.map { "call refused: \($0)" } ?? "call reported")
        }
    }
}

extension CourierCalls: @preconcurrency CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) { print("calls reset") }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        // Connect to the call server here; fulfil the action when the connection stands.
        action.fulfill()
        print("answered")
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        action.fulfill()
        print("ended")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { print("audio on") }
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { print("audio off") }
}
