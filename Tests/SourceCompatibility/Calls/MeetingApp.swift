import CallKit
import PushKit
import UIKit

#if canImport(AVFoundation)
import AVFoundation
#endif

// Swift 6 mode: a meeting app with async methods and an actor for its calls.

@MainActor
final class MeetingApp: UIResponder, UIApplicationDelegate {
    let center = MeetingCenter()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        center.start()
        return true
    }
}

@MainActor
final class MeetingCenter: NSObject {
    private let registry = PKPushRegistry(queue: .main)
    private let provider: CXProvider
    private let controller = CXCallController()
    private(set) var meetings: [UUID: String] = [:]
    private(set) var refusals: [CXErrorCodeIncomingCallError.Code] = []
    private(set) var isAudioActive = false
    private(set) var isMuted = false

    override init() {
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = true
        configuration.supportedHandleTypes = [.emailAddress, .generic]
        configuration.ringtoneSound = "meeting.caf"
        provider = CXProvider(configuration: configuration)
        super.init()
    }

    func start() {
        provider.setDelegate(self, queue: .main)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func join(_ title: String) async throws -> UUID {
        let id = UUID()
        let action = CXStartCallAction(call: id, handle: CXHandle(type: .generic, value: title))
        action.isVideo = true
        try await controller.request(CXTransaction(action: action))
        return id
    }

    func setMuted(_ isMuted: Bool, in meeting: UUID) async throws {
        try await controller.requestTransaction(with: CXSetMutedCallAction(call: meeting, muted: isMuted))
    }

    func leave(_ meeting: UUID) {
        controller.request(CXTransaction(action: CXEndCallAction(call: meeting))) { error in
            if let error { print("Cannot leave: \(error.localizedDescription)") }
        }
    }
}

extension MeetingCenter: @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        print("Token: \(pushCredentials.token.base64EncodedString())")
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) async {
        guard type == .voIP, let title = payload.dictionaryPayload["title"] as? String else { return }
        let id = UUID()
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: title)
        update.hasVideo = true
        do {
            try await provider.reportNewIncomingCall(with: id, update: update)
            meetings[id] = title
        } catch let error as CXErrorCodeIncomingCallError {
            refusals.append(error.code)
        } catch {
            print(error)
        }
    }
}

extension MeetingCenter: @preconcurrency CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) { meetings.removeAll() }

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        guard transaction.actions.count == 1, let mute = transaction.actions.first as? CXSetMutedCallAction else {
            return false
        }
        isMuted = mute.isMuted
        mute.fulfill()
        return true
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        meetings[action.callUUID] = action.handle.value
        action.fulfill()
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
        provider.reportOutgoingCall(with: action.callUUID, connectedAt: nil)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        meetings[action.callUUID] = nil
        action.fulfill()
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { isAudioActive = true }
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { isAudioActive = false }
}
