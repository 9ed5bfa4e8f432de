// swift-format-ignore-file: NeverForceUnwrap, OmitExplicitReturns, NeverUseImplicitlyUnwrappedOptionals

import CallKit
import JPush
import PushKit
import UIKit

#if canImport(AVFoundation)
import AVFoundation
#endif

// Swift 5 mode: an intercom as apps of 2019 are written, with one manager for PushKit and CallKit, queues of its own, and the method
// for systems before iOS 11 beside the newer one.

public class IntercomApp: UIResponder, UIApplicationDelegate {
    public var window: UIWindow?
    public let calls = IntercomCallManager()

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        JPUSHService.setup(
            withOption: launchOptions,
            appKey: "0123456789abcdef01234567",
            channel: "App Store",
            apsForProduction: false
        )
        calls.registerForVoIPPushes()
        return true
    }
}

public class IntercomCallManager: NSObject {
    public struct Visitor {
        public var uuid: UUID
        public var door: String
    }

    public private(set) var visitors: [Visitor] = []
    public private(set) var events: [String] = []
    public private(set) var token: String?

    private let voipRegistry = PKPushRegistry(queue: DispatchQueue.main)
    private let callController = CXCallController(queue: DispatchQueue.main)
    private lazy var provider: CXProvider = {
        let provider = CXProvider(configuration: IntercomCallManager.providerConfiguration)
        provider.setDelegate(self, queue: nil)
        return provider
    }()

    static var providerConfiguration: CXProviderConfiguration {
        let providerConfiguration = CXProviderConfiguration(localizedName: "Intercom")
        providerConfiguration.supportsVideo = true
        providerConfiguration.maximumCallsPerCallGroup = 1
        providerConfiguration.maximumCallGroups = 1
        providerConfiguration.supportedHandleTypes = [.generic]
        if #available(iOS 11.0, *) {
            providerConfiguration.includesCallsInRecents = false
        }
        return providerConfiguration
    }

    public func registerForVoIPPushes() {
        _ = provider
        callController.callObserver.setDelegate(self, queue: nil)
        voipRegistry.delegate = self
        voipRegistry.desiredPushTypes = [.voIP]
    }

    private func handle(_ payload: PKPushPayload, completion: (() -> Void)?) {
        JPUSHService.handleVoipNotification(payload.dictionaryPayload)
        let door = payload.dictionaryPayload["door"] as? String ?? "Door"
        let visitor = Visitor(uuid: UUID(), door: door)
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: door)
        update.localizedCallerName = "At the " + door.lowercased()
        update.hasVideo = true
        update.supportsHolding = false
        update.supportsGrouping = false
        update.supportsUngrouping = false
        update.supportsDTMF = false
        provider.reportNewIncomingCall(with: visitor.uuid, update: update) { [weak self] error in
            defer { completion?() }
            guard let self = self else { return }
            if let error = error as NSError? {
                if error.domain == CXErrorDomainIncomingCall,
                    error.code == CXErrorCodeIncomingCallError.filteredByDoNotDisturb.rawValue
                {
                    self.events.append("do not disturb")
                }
                return
            }
            self.visitors.append(visitor)
        }
    }

    /// The other side gave up, or another person answered.
    public func cancel(reason: CXCallEndedReason) {
        guard let visitor = visitors.popLast() else { return }
        provider.reportCall(with: visitor.uuid, endedAt: Date(), reason: reason)
    }

    public func hangUp() {
        guard let visitor = visitors.last else { return }
        let transaction = CXTransaction(action: CXEndCallAction(call: visitor.uuid))
        callController.request(transaction) { error in
            if let error = error { print("Error requesting transaction: \(error)") }
        }
    }

    private func configureAudioSession() {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetooth, .defaultToSpeaker])
            try session.setPreferredIOBufferDuration(0.005)
        } catch {
            print("Error setting up the audio session: \(error)")
        }
    }
}

extension IntercomCallManager: PKPushRegistryDelegate {
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {
        guard type == .voIP else { return }
        token = pushCredentials.token.map { String(format: "%02.2hhx", $0) }.joined()
        JPUSHService.registerVoipToken(pushCredentials.token)
    }

    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        token = nil
    }

    // Before iOS 11.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {
        events.append("old push")
        handle(payload, completion: nil)
    }

    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        events.append("push")
        handle(payload, completion: completion)
    }
}

extension IntercomCallManager: CXProviderDelegate {
    public func providerDidReset(_ provider: CXProvider) { visitors.removeAll() }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard visitors.contains(where: { $0.uuid == action.callUUID }) else {
            action.fail()
            return
        }
        configureAudioSession()
        events.append("answer")
        action.fulfill(withDateConnected: Date())
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        visitors.removeAll { $0.uuid == action.callUUID }
        events.append("end")
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        events.append(action.isMuted ? "mute" : "unmute")
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) { events.append("timeout") }

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        events.append("audio \(audioSession.mode == .voiceChat)")
    }

    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        events.append("silence")
    }
}

extension IntercomCallManager: CXCallObserverDelegate {
    public func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        if call.hasEnded {
            events.append("observed the end")
        } else if call.hasConnected {
            events.append("observed the connection")
        }
    }
}
