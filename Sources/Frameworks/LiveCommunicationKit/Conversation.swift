public import Foundation
public import Observation
import SystemPort

/// A conversation of the app, which its manager creates.
///
/// `@unchecked Sendable`: its values are read and written under the lock.
public final class Conversation: CustomDebugStringConvertible, Observable, @unchecked Sendable {
    /// The identifier by which the app reported or started the conversation.
    public let uuid: UUID
    private let registrar = ObservationRegistrar()
    private let lock = NSLock()
    private var record: CallRecord

    init(_ record: CallRecord) {
        uuid = record.id
        self.record = record
    }

    /// The state of the conversation.
    public var state: State {
        registrar.access(self, keyPath: \.state)
        return State(rawValue: lock.withLock { record.stage.rawValue }) ?? .idle
    }
    /// The user's own address, as the app has set it.
    public var localMember: Handle? {
        registrar.access(self, keyPath: \.localMember)
        return lock.withLock { record.localMember }.map { Handle($0) }
    }
    public var debugDescription: String { "Conversation \(uuid.uuidString), \(state)" }

    func update(_ record: CallRecord) {
        lock.withLock { self.record = record }
        registrar.withMutation(of: self, keyPath: \.state) {}
        registrar.withMutation(of: self, keyPath: \.localMember) {}
    }

    /// The states of a conversation. Apple documents no raw values: those here are ours.
    public enum State: Int, Codable, Hashable, Sendable {
        /// It rings, or has not begun to connect.
        case idle
        /// It is being connected.
        case joining
        /// The participants can talk.
        case joined
        /// The user has paused it.
        case paused
        /// It is being ended.
        case leaving
        /// It has ended.
        case left
    }

    /// The actions that the user can take, as the system offers them. Apple documents no bits: those here are ours.
    public struct Capabilities: OptionSet, Codable, Hashable, Sendable {
        public var rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Joining another conversation.
        public static let merging = Capabilities(rawValue: 1)
        /// Leaving the other conversation.
        public static let unmerging = Capabilities(rawValue: 2)
        /// Pausing and resuming.
        public static let pausing = Capabilities(rawValue: 4)
        /// Keys during the conversation.
        public static let playingTones = Capabilities(rawValue: 8)
        /// Video.
        public static let video = Capabilities(rawValue: 16)
    }

    /// New values of a conversation; nil leaves a value as it is.
    public struct Update: Codable, Hashable, Sendable {
        /// The user's own address.
        public var localMember: Handle?
        /// All who are invited.
        public var members: Set<Handle>?
        /// All who take part at the moment; without effect here.
        public var activeRemoteMembers: Set<Handle>?
        /// The actions that the user can take.
        public var capabilities: Capabilities?

        /// Creates an update.
        public init(
            localMember: Handle? = nil,
            members: Set<Handle>? = nil,
            activeRemoteMembers: Set<Handle>? = nil,
            capabilities: Capabilities? = nil
        ) {
            self.localMember = localMember
            self.members = members
            self.activeRemoteMembers = activeRemoteMembers
            self.capabilities = capabilities
        }

        var record: CallUpdateRecord {
            var record = CallUpdateRecord()
            let members = members?.sorted { ($0.displayName, $0.value) < ($1.displayName, $1.value) }
            record.localMember = localMember?.record
            record.remoteHandle = members?.first?.record
            record.localizedCallerName = members?.map(\.displayName).joined(separator: ", ")
            record.supportsHolding = capabilities?.contains(.pausing)
            record.supportsGrouping = capabilities?.contains(.merging)
            record.supportsUngrouping = capabilities?.contains(.unmerging)
            record.supportsDTMF = capabilities?.contains(.playingTones)
            record.hasVideo = capabilities?.contains(.video)
            return record
        }
    }

    /// A change of a conversation that does not come from the user. Dates are stored by Apple's system; here the device's count.
    public enum Event: Codable, Hashable, Sendable {
        /// It begins to connect.
        case conversationStartedConnecting(Date)
        /// The participants can talk.
        case conversationConnected(Date)
        /// Values have changed.
        case conversationUpdated(Update)
        /// It has ended without the user.
        case conversationEnded(Date, EndedReason)
    }

    /// The reason why a conversation ended that the user did not end. Apple documents no raw values: those here are ours.
    public enum EndedReason: Int, Codable, Hashable, Sendable {
        /// It could not be connected, or broke off.
        case failed
        /// The other side ended it.
        case remoteEnded
        /// Nobody answered in time.
        case unanswered
        /// The user joined it on another device.
        case joinedElsewhere
        /// The user declined it on another device.
        case declinedElsewhere
    }
}
