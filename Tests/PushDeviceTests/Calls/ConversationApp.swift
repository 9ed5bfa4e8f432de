import CallKit
import LiveCommunicationKit
import PosthornTesting
import PushDevice
import PushKit
import PushModel
import TestSupport
import UIKit

/// A VoIP app with LiveCommunicationKit. A push with `uuid` is a conversation with `caller`; with `both` it goes to CallKit too.
@MainActor
final class ConversationApp: UIResponder, UIApplicationDelegate, @preconcurrency PKPushRegistryDelegate,
    @preconcurrency ConversationManagerDelegate
{
    let registry = PKPushRegistry(queue: .main)
    let manager = ConversationManager(
        configuration: .init(
            ringtoneName: "ring.caf",
            iconTemplateImageData: nil,
            maximumConversationGroups: 2,
            maximumConversationsPerConversationGroup: 3,
            includesConversationInRecents: true,
            supportsVideo: true,
            supportedHandleTypes: [.generic, .phoneNumber]
        )
    )
    private(set) lazy var provider = CXProvider(configuration: CXProviderConfiguration())
    /// Whether actions are fulfilled; nil leaves them open.
    var fulfills: Bool? = true
    /// Whether a join is reported step by step before it is fulfilled.
    var reportsSteps = false
    var capabilities: Conversation.Capabilities? = [.pausing, .merging, .unmerging, .playingTones, .video]
    var log: [String] = []
    var actions: [ConversationAction] = []
    var errors: [NSError] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        manager.delegate = self
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        return true
    }

    // MARK: PKPushRegistryDelegate

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async {
        guard let text = payload.dictionaryPayload["uuid"] as? String, let uuid = UUID(uuidString: text) else { return }
        let caller = payload.dictionaryPayload["caller"] as? String ?? "unknown"
        let update = Conversation.Update(
            localMember: Handle(type: .phoneNumber, value: "+86 10"),
            members: [Handle(type: .generic, value: "u1", displayName: caller)],
            capabilities: capabilities
        )
        do { try await manager.reportNewIncomingConversation(uuid: uuid, update: update) } catch {
            errors.append(error as NSError)
        }
        guard let other = payload.dictionaryPayload["both"] as? String, let second = UUID(uuidString: other) else {
            return
        }
        do { try await provider.reportNewIncomingCall(with: second, update: CXCallUpdate()) } catch {
            errors.append(error as NSError)
        }
    }

    // MARK: ConversationManagerDelegate

    func conversationManagerDidBegin(_ manager: ConversationManager) { log.append("begin") }
    func conversationManagerDidReset(_ manager: ConversationManager) { log.append("reset") }

    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {
        log.append("\(conversation.state)")
    }

    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        actions.append(action)
        switch action {
        case let action as StartConversationAction:
            log.append("start \(action.handles.map(\.displayName).joined(separator: " "))")
        case is JoinConversationAction: log.append("join")
        case is EndConversationAction: log.append("end")
        case let action as PauseConversationAction: log.append(action.isPaused ? "pause" : "resume")
        case let action as MuteConversationAction: log.append(action.isMuted ? "mute" : "unmute")
        case let action as PlayToneAction: log.append("tone \(action.digits)")
        case is MergeConversationAction: log.append("merge")
        case is UnmergeConversationAction: log.append("unmerge")
        case let action as SetTranslatingAction:
            log.append("translate \(action.remoteLanguage.minimalIdentifier)")
            return action.fulfill(using: .default)
        default: log.append("?")
        }
        if reportsSteps, action is JoinConversationAction,
            let conversation = manager.conversations.first(where: { $0.uuid == action.conversationUUID })
        {
            manager.reportConversationEvent(.conversationStartedConnecting(.now), for: conversation)
            manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
        }
        switch (fulfills, action) {
        case (true?, let action as StartConversationAction): action.fulfill(dateStarted: .now)
        case (true?, let action as JoinConversationAction): action.fulfill(dateConnected: .now)
        case (true?, let action as EndConversationAction): action.fulfill(dateEnded: .now)
        case (true?, _): action.fulfill()
        case (false?, _): action.fail()
        case (nil, _): break
        }
    }

    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {
        log.append("timed out")
    }
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {
        log.append("audio on")
    }
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {
        log.append("audio off")
    }
}

/// A phone with such an app.
@MainActor
struct ConversationStage {
    let phone: TestPhone
    let app: InstalledApp

    init(_ version: String = "26.4", app: InstalledApp = .caller) async {
        phone = TestPhone(SystemProfile(version: version))
        self.app = app
        phone.install(app) { ConversationApp() }
        await phone.open(app)
        await phone.background(app)
    }

    /// The app's delegate, while it runs.
    var delegate: ConversationApp? { phone.device.delegate(of: app.bundleID, as: ConversationApp.self) }

    /// Takes the log of the app's delegate, without its beginning.
    func takeLog() -> [String] {
        defer { delegate?.log = [] }
        return delegate?.log.filter { $0 != "begin" } ?? []
    }

    @discardableResult
    func ring(_ uuid: String, both second: String? = nil) async -> String {
        var payload: JSONObject = ["uuid": .string(uuid), "caller": "Ann"]
        if let second { payload["both"] = .string(second) }
        let push = await phone.push(voIP: .object(payload), to: app)
        await phone.settle(within: usualLimit)
        return push
    }

    /// Performs actions as the app does. Returns the code of the error.
    func perform(_ actions: sending [ConversationAction]) async -> Int? {
        let handed = Handed(actions)
        let error = await phone.device.inside(app.bundleID) { @MainActor () async -> (any Error)? in
            guard let delegate = UIApplication.shared.delegate as? ConversationApp else { return nil }
            do { try await delegate.manager.perform(handed.actions) } catch { return error }
            return nil
        }
        await phone.settle()
        return ((error ?? nil) as NSError?)?.code
    }

    /// `@unchecked Sendable`: used on the main actor alone.
    private struct Handed: @unchecked Sendable {
        let actions: [ConversationAction]
        init(_ actions: [ConversationAction]) { self.actions = actions }
    }

    func sentence(_ push: String) -> String { Verdict(phone.journeys.events(of: push)).sentence }
}
