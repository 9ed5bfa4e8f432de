public import Foundation

/// The address of a participant, as `CXHandle`.
public struct CallHandleRecord: Hashable, Sendable, Codable {
    /// 1 generic, 2 phone number, 3 e-mail address.
    public var type: Int
    /// The address in the form of its type.
    public var value: String

    /// Creates a handle.
    public init(type: Int, value: String) {
        self.type = type
        self.value = value
    }
}

/// Values of a call that an app changes, as `CXCallUpdate`; nil leaves a value as it is.
public struct CallUpdateRecord: Hashable, Sendable, Codable {
    public var remoteHandle: CallHandleRecord?
    public var localizedCallerName: String?
    public var supportsHolding: Bool?
    public var supportsGrouping: Bool?
    public var supportsUngrouping: Bool?
    public var supportsDTMF: Bool?
    public var hasVideo: Bool?

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
    }
}

/// The limits of a provider, as `CXProviderConfiguration`.
public struct CallProviderRecord: Hashable, Sendable, Codable {
    public var maximumCallGroups: Int
    public var maximumCallsPerCallGroup: Int
    /// The name of the sound file; nil for the system's ringtone.
    public var ringtone: String?

    public init(maximumCallGroups: Int = 2, maximumCallsPerCallGroup: Int = 5, ringtone: String? = nil) {
        self.maximumCallGroups = maximumCallGroups
        self.maximumCallsPerCallGroup = maximumCallsPerCallGroup
        self.ringtone = ringtone
    }
}

/// The state of a call, as `CXCall`.
public struct CallRecord: Hashable, Sendable, Codable {
    public var id: UUID
    public var isOutgoing = false
    public var isOnHold = false
    public var hasConnected = false
    public var hasEnded = false

    public init(id: UUID) { self.id = id }
}

/// An action on a call, as `CXCallAction`.
public struct CallActionRecord: Hashable, Sendable, Codable {
    public enum Kind: Hashable, Sendable, Codable {
        case start(CallHandleRecord, contact: String?, isVideo: Bool)
        case answer
        case end
        case hold(Bool)
        case mute(Bool)
        case group(with: UUID?)
        /// `type` is that of `CXPlayDTMFCallAction.ActionType`.
        case playDTMF(digits: String, type: Int)
    }

    public var id: UUID
    public var call: UUID
    public var kind: Kind
    /// The time after which the system does not wait for it any longer.
    public var timeout: Date

    public init(id: UUID, call: UUID, kind: Kind, timeout: Date = .distantFuture) {
        self.id = id
        self.call = call
        self.kind = kind
        self.timeout = timeout
    }
}

/// Actions that are performed together, as `CXTransaction`.
public struct CallTransactionRecord: Hashable, Sendable, Codable {
    public var id: UUID
    public var actions: [CallActionRecord]

    public init(id: UUID, actions: [CallActionRecord]) {
        self.id = id
        self.actions = actions
    }
}
