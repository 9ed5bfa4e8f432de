package import Foundation

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
package struct CallUpdateRecord: Hashable, Sendable, Codable {
    package var remoteHandle: CallHandleRecord?
    package var localizedCallerName: String?
    package var supportsHolding: Bool?
    package var supportsGrouping: Bool?
    package var supportsUngrouping: Bool?
    package var supportsDTMF: Bool?
    package var hasVideo: Bool?

    package init() {}

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
package struct CallProviderRecord: Hashable, Sendable, Codable {
    package var maximumCallGroups: Int
    package var maximumCallsPerCallGroup: Int
    /// The name of the sound file; nil for the system's ringtone.
    package var ringtone: String?

    package init(maximumCallGroups: Int = 2, maximumCallsPerCallGroup: Int = 5, ringtone: String? = nil) {
        self.maximumCallGroups = maximumCallGroups
        self.maximumCallsPerCallGroup = maximumCallsPerCallGroup
        self.ringtone = ringtone
    }
}

/// The state of a call, as `CXCall`.
package struct CallRecord: Hashable, Sendable, Codable {
    package var id: UUID
    package var isOutgoing = false
    package var isOnHold = false
    package var hasConnected = false
    package var hasEnded = false

    package init(id: UUID) { self.id = id }
}

/// An action on a call, as `CXCallAction`.
package struct CallActionRecord: Hashable, Sendable, Codable {
    package enum Kind: Hashable, Sendable, Codable {
        case start(CallHandleRecord, contact: String?, isVideo: Bool)
        case answer
        case end
        case hold(Bool)
        case mute(Bool)
        case group(with: UUID?)
        /// `type` is that of `CXPlayDTMFCallAction.ActionType`.
        case playDTMF(digits: String, type: Int)
    }

    package var id: UUID
    package var call: UUID
    package var kind: Kind
    /// The time after which the system does not wait for it any longer.
    package var timeout: Date

    package init(id: UUID, call: UUID, kind: Kind, timeout: Date = .distantFuture) {
        self.id = id
        self.call = call
        self.kind = kind
        self.timeout = timeout
    }
}

/// Actions that are performed together, as `CXTransaction`.
package struct CallTransactionRecord: Hashable, Sendable, Codable {
    package var id: UUID
    package var actions: [CallActionRecord]

    package init(id: UUID, actions: [CallActionRecord]) {
        self.id = id
        self.actions = actions
    }
}
