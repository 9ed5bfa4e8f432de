public import Foundation

/// The framework by which an app reports its calls. Its raw value is its name.
public enum CallFramework: String, Hashable, Sendable, Codable {
    /// Apple's framework of iOS 10.
    case callKit = "CallKit"
    /// Apple's framework of iOS 17.4, whose calls are conversations.
    case liveCommunicationKit = "LiveCommunicationKit"
}

/// The address of a participant, as `CXHandle` and `Handle`.
public struct CallHandleRecord: Hashable, Sendable, Codable {
    /// 1 generic, 2 phone number, 3 e-mail address.
    public var type: Int
    /// The address in the form of its type.
    public var value: String
    /// The name that is shown, as `Handle.displayName`; nil for the address.
    public var name: String?

    /// Creates a handle.
    public init(type: Int, value: String, name: String? = nil) {
        self.type = type
        self.value = value
        self.name = name
    }
}

/// Values of a call that an app changes, as `CXCallUpdate` and `Conversation.Update`; nil leaves a value as it is.
public struct CallUpdateRecord: Hashable, Sendable, Codable {
    /// The other party; nil leaves it unchanged.
    public var remoteHandle: CallHandleRecord?
    /// The name of the other party; nil leaves it unchanged.
    public var localizedCallerName: String?
    /// Whether the call can be held; nil leaves it unchanged.
    public var supportsHolding: Bool?
    /// Whether the call can join others; nil leaves it unchanged.
    public var supportsGrouping: Bool?
    /// Whether the call can leave others; nil leaves it unchanged.
    public var supportsUngrouping: Bool?
    /// Whether keys can be pressed during the call; nil leaves it unchanged.
    public var supportsDTMF: Bool?
    /// Whether the call has video; nil leaves it unchanged.
    public var hasVideo: Bool?

    /// The user's own address; nil leaves it unchanged.
    public var localMember: CallHandleRecord?

    /// Creates an update that changes nothing.
    public init() {}

    /// Takes over the values that a later update sets.
    package mutating func merge(_ later: CallUpdateRecord) {
        remoteHandle = later.remoteHandle ?? remoteHandle
        localizedCallerName = later.localizedCallerName ?? localizedCallerName
        supportsHolding = later.supportsHolding ?? supportsHolding
        supportsGrouping = later.supportsGrouping ?? supportsGrouping
        supportsUngrouping = later.supportsUngrouping ?? supportsUngrouping
        supportsDTMF = later.supportsDTMF ?? supportsDTMF
        hasVideo = later.hasVideo ?? hasVideo
        localMember = later.localMember ?? localMember
    }
}

/// The limits of a provider, as `CXProviderConfiguration`, or of a manager, as `ConversationManager.Configuration`.
public struct CallProviderRecord: Hashable, Sendable, Codable {
    /// The maximum number of groups of calls.
    public var maximumCallGroups: Int
    /// The maximum number of calls in a group.
    public var maximumCallsPerCallGroup: Int
    /// The name of the sound file; nil for the system's ringtone.
    public var ringtone: String?
    /// The framework that it belongs to.
    public var framework: CallFramework

    /// Creates the record of a provider.
    public init(
        maximumCallGroups: Int = 2,
        maximumCallsPerCallGroup: Int = 5,
        ringtone: String? = nil,
        framework: CallFramework = .callKit
    ) {
        self.framework = framework
        self.maximumCallGroups = maximumCallGroups
        self.maximumCallsPerCallGroup = maximumCallsPerCallGroup
        self.ringtone = ringtone
    }
}

/// The state of a call, as `CXCall` and `Conversation`.
public struct CallRecord: Hashable, Sendable, Codable {
    /// The values of `Conversation.State`.
    public enum Stage: Int, Hashable, Sendable, Codable { case idle, joining, joined, paused, leaving, left }

    /// The identifier by which the app reported or started the call.
    public var id: UUID
    /// Whether the app started the call.
    public var isOutgoing = false
    /// Whether the call is on hold.
    public var isOnHold = false
    /// Whether the two parties are connected.
    public var hasConnected = false
    /// Whether the call has ended.
    public var hasEnded = false
    /// The same in other words.
    public var stage = Stage.idle
    /// The user's own address, as the app has set it.
    public var localMember: CallHandleRecord?
    /// The app's provider or manager; nil for an app that the call does not belong to.
    public var provider: Int?

    /// Creates the record of an incoming call that is not answered.
    public init(id: UUID) { self.id = id }
}

/// An action on a call, as `CXCallAction` and `ConversationAction`.
public struct CallActionRecord: Hashable, Sendable, Codable {
    /// The thing to do.
    public enum Kind: Hashable, Sendable, Codable {
        /// Start a call to somebody; the contact is an identifier that the app chose.
        case start([CallHandleRecord], contact: String?, isVideo: Bool)
        /// Answer the call.
        case answer
        /// Hang up or decline.
        case end
        /// Hold the call, or go on with it.
        case hold(Bool)
        /// Mute the microphone, or open it.
        case mute(Bool)
        /// Join another call; nil to leave the group.
        case group(with: UUID?)
        /// `type` is that of `CXPlayDTMFCallAction.ActionType`.
        case playDTMF(digits: String, type: Int)
        /// Begin to translate, or end it, with the identifiers of the two languages.
        case translate(Bool, local: String, remote: String)
    }

    /// `CXPlayDTMFCallAction.ActionType.singleTone`.
    package static let singleTone = 1

    /// The identifier of the action.
    public var id: UUID
    /// The identifier of the call.
    public var call: UUID
    /// The thing to do.
    public var kind: Kind
    /// The time after which the system does not wait for it any longer.
    public var timeout: Date

    /// Creates an action.
    public init(id: UUID, call: UUID, kind: Kind, timeout: Date = .distantFuture) {
        self.id = id
        self.call = call
        self.kind = kind
        self.timeout = timeout
    }
}

/// Actions that are performed together, as `CXTransaction`.
public struct CallTransactionRecord: Hashable, Sendable, Codable {
    /// The identifier of the transaction.
    public var id: UUID
    /// The actions, in their order.
    public var actions: [CallActionRecord]

    /// Creates a transaction.
    public init(id: UUID, actions: [CallActionRecord]) {
        self.id = id
        self.actions = actions
    }
}

/// A call of CallKit or LiveCommunicationKit to the system. Providers and managers are numbered together within their process.
public enum CallKitCall: Hashable, Sendable, Codable {
    /// A provider has a delegate, or another configuration.
    case provide(Int, CallProviderRecord)
    /// Ends a provider, by its number, with all of its calls.
    case invalidate(Int)
    /// Answered with ``SystemReply/done`` or ``SystemReply/failed(_:)``.
    case reportIncoming(UUID, CallUpdateRecord, provider: Int)
    /// Changes how a call of the provider appears.
    case update(UUID, CallUpdateRecord, provider: Int)
    /// `reason` is that of `CXCallEndedReason`.
    case ended(UUID, reason: Int, provider: Int)
    /// An outgoing call is being connected.
    case startedConnecting(UUID, provider: Int)
    /// An outgoing call is connected.
    case connected(UUID, provider: Int)
    /// Answered with ``SystemReply/done`` or ``SystemReply/failed(_:)``.
    /// Without the number of a manager it is a request of a `CXCallController`.
    case request(CallTransactionRecord, manager: Int?)
    /// The app has performed an action, or could not.
    case completed(UUID, isFulfilled: Bool)
    /// The process observes calls.
    case observe
    /// The process uses audio, or does not any more.
    case useAudio(Bool)
    /// Answered with ``SystemReply/calls(_:)``.
    case list
}

/// An event for CallKit or LiveCommunicationKit.
public enum CallKitEvent: Hashable, Sendable, Codable {
    /// The provider is ready.
    case began(provider: Int)
    /// All calls of the provider have ended; its app forgets them.
    case reset(provider: Int)
    /// Actions for the app to carry out, from the user or from the app itself.
    case perform(CallTransactionRecord, provider: Int)
    /// The app did not carry out an action in time.
    case timedOut(CallActionRecord, provider: Int)
    /// The app may use the microphone and the speaker, or may not any more.
    case audio(isActive: Bool, provider: Int)
    /// A call began, changed or ended, for observers.
    case changed(CallRecord)
    /// The call of another app takes the audio that the app uses, or gives it back.
    case interrupted(Bool)
}
