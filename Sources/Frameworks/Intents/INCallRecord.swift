public import Foundation

/// The loudspeaker or headset of a call. Raw values: Apple, `INCallAudioRoute`.
public enum INCallAudioRoute: Int, Sendable {
    /// Not said, the loudspeaker, and a headset.
    case unknown, speakerphoneAudioRoute, bluetoothAudioRoute
}

/// The outcome of a call. Raw values: Apple, `INCallRecordType`.
public enum INCallRecordType: Int, Sendable {
    /// Not said, made by the user, not answered, and answered.
    case unknown, outgoing, missed, received
    /// The last one, and a message that the caller left.
    case latest, voicemail
    /// Rings, is going on, and is on hold.
    case ringing, inProgress, onHold
}

/// A set of ``INCallRecordType``. Raw values: Apple, `INCallRecordTypeOptions`.
public struct INCallRecordTypeOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Calls that the user made.
    public static let outgoing = Self(rawValue: 1)
    /// Calls that nobody answered.
    public static let missed = Self(rawValue: 1 << 1)
    /// Calls that the user answered.
    public static let received = Self(rawValue: 1 << 2)
    /// The last call.
    public static let latest = Self(rawValue: 1 << 3)
    /// Messages that callers left.
    public static let voicemail = Self(rawValue: 1 << 4)
}

/// A choice of calls. Source: Apple, `INCallRecordFilter`, of iOS 14 and later. `@unchecked Sendable`: it is immutable.
open class INCallRecordFilter: NSObject, @unchecked Sendable {
    /// The people of the calls; nil for any.
    public let participants: [INPerson]?
    /// The kinds of calls.
    public let callTypes: INCallRecordTypeOptions
    /// Whether with video.
    public let callCapability: INCallCapability

    /// Creates a filter.
    public init(participants: [INPerson]?, callTypes: INCallRecordTypeOptions, callCapability: INCallCapability) {
        self.participants = participants
        self.callTypes = callTypes
        self.callCapability = callCapability
    }
}

/// A past or present call. Source: Apple, `INCallRecord`. `@unchecked Sendable`: it is immutable.
open class INCallRecord: NSObject, @unchecked Sendable {
    /// The app's own identifier of the call.
    public let identifier: String
    /// The time of the call; nil if unknown.
    public let dateCreated: Date?
    /// The one who has called; nil if unknown.
    public let caller: INPerson?
    /// The outcome of the call.
    public let callRecordType: INCallRecordType
    /// Whether with video.
    public let callCapability: INCallCapability
    /// The length in seconds; nil if unknown.
    public let callDuration: Double?
    /// Whether the user has not seen it yet; nil if unknown.
    public let unseen: Bool?

    /// Creates the record of a call.
    public init(
        identifier: String,
        dateCreated: Date?,
        caller: INPerson?,
        callRecordType: INCallRecordType,
        callCapability: INCallCapability,
        callDuration: Double?,
        unseen: Bool?
    ) {
        self.identifier = identifier
        self.dateCreated = dateCreated
        self.caller = caller
        self.callRecordType = callRecordType
        self.callCapability = callCapability
        self.callDuration = callDuration
        self.unseen = unseen
    }
}
