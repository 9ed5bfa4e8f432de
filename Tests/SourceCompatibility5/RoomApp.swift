import LiveCommunicationKit
import PushKit
import UIKit

#if canImport(AVFoundation)
import AVFoundation
#endif

// Swift 5 mode: conversations as SDKs of vendors report them, with one manager for PushKit and LiveCommunicationKit. The registry has a
// queue of its own, on which the older method waits for the report; the method of iOS 26.4 has a handler without `@Sendable`.

public class RoomApp: UIResponder, UIApplicationDelegate {
    public var window: UIWindow?
    public let calls = RoomCallCenter()

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        calls.start()
        return true
    }
}

/// The framework that an app chooses once, at launch. Before iOS 17.4 an app for mainland China has none.
public enum CallChoice {
    case callKit, liveCommunicationKit

    public init?(storefront: String, system: String) {
        func isAtLeast(_ version: String) -> Bool {
            system.compare(version, options: .numeric) != .orderedAscending
        }
        if storefront == "CHN", !isAtLeast("17.4") { return nil }
        self = isAtLeast(storefront == "CHN" ? "17.4" : "26.4") ? .liveCommunicationKit : .callKit
    }
}

@available(iOS 17.4, *)
public final class RoomCallCenter: NSObject {
    public private(set) var events: [String] = []
    private let conversationManager: ConversationManager
    private var registry: PKPushRegistry?
    private var currentConversation: Conversation?

    override init() {
        var configuration = ConversationManager.Configuration(
            ringtoneName: nil,
            iconTemplateImageData: UIImage(named: "AppIcon")?.pngData(),
            maximumConversationGroups: 1,
            maximumConversationsPerConversationGroup: 1,
            includesConversationInRecents: true,
            supportsVideo: true,
            supportedHandleTypes: [.generic]
        )
        configuration.ringtoneName = "room.caf"
        conversationManager = ConversationManager.init(configuration: configuration)
        super.init()
        conversationManager.delegate = self
    }

    deinit { conversationManager.invalidate() }

    func start() {
        registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))
        registry?.delegate = self
        registry?.desiredPushTypes = [.voIP]
    }

    private func report(_ payload: [AnyHashable: Any]) {
        let name = payload["room"] as? String ?? "Room"
        var update = Conversation.Update(members: [Handle(type: .generic, value: name, displayName: name)])
        update.capabilities = name == "Video" ? .video : [.playingTones, .pausing]
        let semaphore = DispatchSemaphore(value: 0)
        let manager = conversationManager
        Task { [update] in
            do {
                try await manager.reportNewIncomingConversation(uuid: UUID(), update: update)
            } catch {
                print("Report failed: \(error.localizedDescription)")
            }
            semaphore.signal()
        }
        semaphore.wait()
    }

    @MainActor
    public func hangUp() async throws {
        guard let conversation = conversationManager.conversations.first else { return }
        try await conversationManager.perform([EndConversationAction(conversationUUID: conversation.uuid)])
    }
}

@available(iOS 17.4, *)
extension RoomCallCenter: PKPushRegistryDelegate {
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        guard type == .voIP else { return completion() }
        report(payload.dictionaryPayload)
        completion()
    }

    @available(iOS 26.4, *)
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping () -> Void
    ) {
        if metadata.mustReport { report(payload.dictionaryPayload) }
        completion()
    }
}

@available(iOS 17.4, *)
extension RoomCallCenter: ConversationManagerDelegate {
    public func conversationManagerDidBegin(_ manager: ConversationManager) { events.append("begin") }
    public func conversationManagerDidReset(_ manager: ConversationManager) { currentConversation = nil }

    public func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {
        currentConversation = conversation
        events.append("\(conversation.state)")
    }

    public func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        if action is JoinConversationAction {
            do {
                try AVAudioSession.sharedInstance()
                    .setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetooth, .mixWithOthers])
            } catch { events.append("no audio") }
            action.fulfill()
        } else if let mute = action as? MuteConversationAction {
            events.append("mute \(mute.isMuted)")
            mute.fulfill()
        } else if action is EndConversationAction {
            action.fulfill()
        } else {
            action.fail()
        }
    }

    public func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {
        action.fail()
    }
    public func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {
        events.append("audio \(audioSession.category == .playAndRecord)")
    }
    public func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {
        events.append("silence")
    }
}
