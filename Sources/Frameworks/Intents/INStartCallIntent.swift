/// Sound alone, or video. Raw values: Apple, `INCallCapability`.
public enum INCallCapability: Int, Sendable {
    /// Not said, sound alone, and sound and video.
    case unknown, audioCall, videoCall
}

/// The kind of number that is called. Raw values: Apple, `INCallDestinationType`.
public enum INCallDestinationType: Int, Sendable {
    /// Not said; a person's, as usual.
    case unknown, normal
    /// An emergency number, the voicemail, the last one that was called, and the one that called last.
    case emergency, voicemail, redial, callBack
}

/// The wish to call somebody: of iOS 13 and later, for calls of both kinds.
///
/// Source: Apple, `INStartCallIntent`. On the emulated device it occurs when the user calls somebody from the list of recent calls. In a
/// notification it says who has called: `UNNotificationContent.updating(from:)`.
open class INStartCallIntent: INIntent, @unchecked Sendable {
    /// The calls that are meant, as by "my last missed call"; nil if none are. Stored only.
    open private(set) var callRecordFilter: INCallRecordFilter?
    /// The call that is answered by this one; nil if none is. Stored only.
    open private(set) var callRecordToCallBack: INCallRecord?
    /// The loudspeaker or headset; stored only.
    open private(set) var audioRoute: INCallAudioRoute
    /// The kind of number.
    open private(set) var destinationType: INCallDestinationType
    /// The people to call, or the one who has called; nil if unknown.
    open private(set) var contacts: [INPerson]?
    /// Whether with video.
    open private(set) var callCapability: INCallCapability

    /// The initializer of iOS 14 and later.
    public init(
        callRecordFilter: INCallRecordFilter?,
        callRecordToCallBack: INCallRecord?,
        audioRoute: INCallAudioRoute,
        destinationType: INCallDestinationType,
        contacts: [INPerson]?,
        callCapability: INCallCapability
    ) {
        self.callRecordFilter = callRecordFilter
        self.callRecordToCallBack = callRecordToCallBack
        self.audioRoute = audioRoute
        self.destinationType = destinationType
        self.contacts = contacts
        self.callCapability = callCapability
    }

    /// Creates the wish to call people.
    public convenience init(contacts: [INPerson]?, callCapability: INCallCapability) {
        self.init(
            callRecordFilter: nil,
            callRecordToCallBack: nil,
            audioRoute: .unknown,
            destinationType: .normal,
            contacts: contacts,
            callCapability: callCapability
        )
    }
}

/// The wish for a call without video, by iOS 10 to 12 and apps that declare it.
@available(iOS, introduced: 10.0, deprecated: 13.0, message: "Use INStartCallIntent.")
open class INStartAudioCallIntent: INIntent, @unchecked Sendable {
    /// The people to call; nil if unknown.
    open private(set) var contacts: [INPerson]?
    /// The kind of number.
    open var destinationType: INCallDestinationType { .normal }

    /// Creates the wish to call people.
    public init(contacts: [INPerson]?) { self.contacts = contacts }
}

/// The wish for a call with video, by iOS 10 to 12 and apps that declare it.
@available(iOS, introduced: 10.0, deprecated: 13.0, message: "Use INStartCallIntent.")
open class INStartVideoCallIntent: INIntent, @unchecked Sendable {
    /// The people to call; nil if unknown.
    open private(set) var contacts: [INPerson]?

    /// Creates the wish to call people.
    public init(contacts: [INPerson]?) { self.contacts = contacts }
}
