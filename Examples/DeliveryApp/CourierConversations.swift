import Foundation
import JPush
import LiveCommunicationKit
import PushKit

#if canImport(AVFoundation)
import AVFoundation
#endif

/// Calls of the courier from iOS 26.4 on: PushKit brings them, LiveCommunicationKit shows them.
@available(iOS 26.4, *)
@MainActor
final class CourierConversations: NSObject {
    private let registry = PKPushRegistry(queue: .main)
    private let manager = ConversationManager(
        configuration: ConversationManager.Configuration(
            ringtoneName: nil,
            iconTemplateImageData: nil,
            maximumConversationGroups: 1,
            maximumConversationsPerConversationGroup: 1,
            includesConversationInRecents: true,
            supportsVideo: false,
            supportedHandleTypes: [.generic]
        )
    )

    /// Call it at each launch: the push that launched the app is waiting for the registry.
    func start() {
        manager.delegate = self
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }
}

@available(iOS 26.4, *)
extension CourierConversations: @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        guard type == .voIP else { return }
        JPUSHService.registerVoipToken(pushCredentials.token)
        print("PushKit has token \(pushCredentials.token.hexadecimal)")
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async {
        JPUSHService.handleVoipNotification(payload.dictionaryPayload)
        print("must report: \(metadata.mustReport)")
        guard let text = payload.dictionaryPayload["call"] as? String, let call = UUID(uuidString: text) else {
            return print("no call in the push")
        }
        let name = payload.dictionaryPayload["caller"] as? String
        let courier = Handle(type: .generic, value: "courier", displayName: name)
        let update = Conversation.Update(members: [courier], capabilities: [.pausing])
        do {
            try await manager.reportNewIncomingConversation(uuid: call, update: update)
            print("conversation reported")
        } catch {
            print("conversation refused: \(error)")
        }
    }
}

@available(iOS 26.4, *)
extension CourierConversations: @preconcurrency ConversationManagerDelegate {
    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        switch action {
        case let action as JoinConversationAction:
            guard let conversation = manager.conversations.first(where: { $0.uuid == action.conversationUUID }) else {
                return action.fail()
            }
            manager.reportConversationEvent(.conversationStartedConnecting(.now), for: conversation)
            // Connect to the call server here; the rest follows when the connection stands.
            manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
            action.fulfill(dateConnected: .now)
            print("joined")
        case let action as EndConversationAction:
            action.fulfill(dateEnded: .now)
            print("left")
        default: action.fulfill()
        }
    }

    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {
        print("the conversation is \(conversation.state)")
    }

    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {
        print("audio on")
    }

    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {
        print("audio off")
    }

    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {
        print("too late")
    }

    func conversationManagerDidBegin(_ manager: ConversationManager) {}
    func conversationManagerDidReset(_ manager: ConversationManager) { print("conversations reset") }
}
