import CallAudio
public import Foundation
public import Observation
import PushModel
import SystemPort

/// Reports conversations to the system, and performs through its delegate what the user wants of them.
///
/// The app's `UIBackgroundModes` must contain `voip`: otherwise reports fail with CallKit's errors, as on a phone.
public final class ConversationManager: Observable {
    private let registrar = ObservationRegistrar()
    private let port: any SystemPort
    private let slot: ConversationSlot
    let number: Int
    /// The manager's configuration.
    public let configuration: Configuration
    /// Performs the actions; held weakly.
    public weak var delegate: (any ConversationManagerDelegate)?

    /// Creates a manager, which stays known to the system until ``invalidate()``.
    public convenience init(configuration: Configuration) { self.init(configuration) }

    private init(_ configuration: Configuration) {
        SystemSymbol.conversationManager.require()
        port = CurrentPort.find()
        slot = ConversationSlot.of(port)
        number = CallTargets.of(port).add(to: .liveCommunicationKit)
        self.configuration = configuration
        slot.add(self)
        ConversationCalls.handleEvents(of: port)
        port.call(.provide(number, configuration.record))
        port.call(.observe)
    }

    /// The manager's conversations.
    public var conversations: [Conversation] {
        registrar.access(self, keyPath: \.conversations)
        return slot.conversations(of: self)
    }
    /// The actions that are not complete.
    public var pendingActions: [ConversationAction] {
        registrar.access(self, keyPath: \.pendingActions)
        return slot.pending(of: self)
    }

    /// Tells those who observe a list that it has changed. They may read it at once: no lock may be held.
    func changed<List>(_ list: KeyPath<ConversationManager, List>) {
        registrar.withMutation(of: self, keyPath: list) {}
    }

    /// Returns the actions of a class on a conversation that are not complete.
    public func pendingConversationActions(
        of type: ConversationAction.Type,
        for conversation: Conversation
    ) -> [ConversationAction] {
        pendingActions.filter { Swift.type(of: $0) == type && $0.conversationUUID == conversation.uuid }
    }

    /// Asks the system to carry out actions, and returns when it has accepted them. The delegate performs them.
    ///
    /// - Throws: the reason why they were refused.
    nonisolated(nonsending) public func perform(_ actions: [ConversationAction]) async throws {
        slot.request(actions)
        let transaction = CallTransactionRecord(id: UUID(), actions: actions.compactMap(\.record))
        do { try await port.perform(.callKit(.request(transaction, manager: number))) } catch {
            slot.forget(actions)
            throw error
        }
    }

    /// Reports an incoming conversation, and returns when the device rings.
    ///
    /// - Throws: the reason why the system does not show it.
    nonisolated(nonsending) public func reportNewIncomingConversation(
        uuid: UUID,
        update: Conversation.Update
    ) async throws {
        var update = update
        // No capabilities: our decision.
        update.capabilities = update.capabilities ?? []
        let report = CallKitCall.reportIncoming(uuid, update.record, provider: number)
        try await port.perform(.callKit(report))
        slot.add(uuid, update.localMember, to: self)
    }

    /// Reports a change of a conversation that the user did not make.
    public func reportConversationEvent(_ event: Conversation.Event, for conversation: Conversation) {
        let id = conversation.uuid
        let call: CallKitCall =
            switch event {
            case .conversationStartedConnecting: .startedConnecting(id, provider: number)
            case .conversationConnected: .connected(id, provider: number)
            case .conversationUpdated(let update): .update(id, update.record, provider: number)
            // CallKit's reasons begin with 1.
            case .conversationEnded(_, let reason): .ended(id, reason: reason.rawValue + 1, provider: number)
            }
        port.call(call)
    }

    /// Ends the manager's conversations as failed, and its reports. The delegate's `conversationManagerDidReset(_:)` follows, which is
    /// our decision.
    public func invalidate() { port.call(.invalidate(number)) }

    /// Has the system deliver a payload to the app's `PKPushRegistry` as a VoIP push, from a notification service extension with the
    /// entitlement `com.apple.developer.usernotifications.filtering`. Values that JSON cannot hold are left out.
    ///
    /// - Throws: the reason why the system does not deliver it.
    nonisolated(nonsending) public class func reportNewIncomingVoIPPushPayload(
        _ payload: [AnyHashable: Any]
    ) async throws {
        let payload = JSONObject(plain: payload)
        try await CurrentPort.find().perform(.pushKit(.deliver(payload)))
    }

    /// The properties of a manager.
    public struct Configuration {
        /// The name of the sound file that plays for an incoming conversation; nil for the system's own.
        public var ringtoneName: String?
        /// Stored only; the emulated device draws no icon.
        public var iconTemplateImageData: Data?
        /// The number of conversations and groups that the app can have.
        public var maximumConversationGroups: Int
        /// Stored only.
        public var maximumConversationsPerConversationGroup: Int
        /// Stored only; the emulated device has no list of recent calls.
        public var includesConversationInRecents: Bool
        /// Stored only.
        public var supportsVideo: Bool
        /// Stored only; nobody calls from the emulated device's contacts.
        public var supportedHandleTypes: Set<Handle.Kind>
        /// Stored only; nothing is translated.
        @available(iOS 26.0, *)
        public var supportsAudioTranslation = false

        /// Creates a configuration.
        public init(
            ringtoneName: String?,
            iconTemplateImageData: Data?,
            maximumConversationGroups: Int,
            maximumConversationsPerConversationGroup: Int,
            includesConversationInRecents: Bool,
            supportsVideo: Bool,
            supportedHandleTypes: Set<Handle.Kind>
        ) {
            self.ringtoneName = ringtoneName
            self.iconTemplateImageData = iconTemplateImageData
            self.maximumConversationGroups = maximumConversationGroups
            self.maximumConversationsPerConversationGroup = maximumConversationsPerConversationGroup
            self.includesConversationInRecents = includesConversationInRecents
            self.supportsVideo = supportsVideo
            self.supportedHandleTypes = supportedHandleTypes
        }

        /// Creates a configuration of an app that may translate.
        @available(iOS 26.0, *)
        public init(
            ringtoneName: String?,
            iconTemplateImageData: Data?,
            maximumConversationGroups: Int,
            maximumConversationsPerConversationGroup: Int,
            includesConversationInRecents: Bool,
            supportsVideo: Bool,
            supportedHandleTypes: Set<Handle.Kind>,
            supportsAudioTranslation: Bool
        ) {
            self.init(
                ringtoneName: ringtoneName,
                iconTemplateImageData: iconTemplateImageData,
                maximumConversationGroups: maximumConversationGroups,
                maximumConversationsPerConversationGroup: maximumConversationsPerConversationGroup,
                includesConversationInRecents: includesConversationInRecents,
                supportsVideo: supportsVideo,
                supportedHandleTypes: supportedHandleTypes
            )
            self.supportsAudioTranslation = supportsAudioTranslation
        }

        var record: CallProviderRecord {
            CallProviderRecord(
                maximumCallGroups: maximumConversationGroups,
                maximumCallsPerCallGroup: maximumConversationsPerConversationGroup,
                ringtone: ringtoneName,
                framework: .liveCommunicationKit
            )
        }
    }
}
