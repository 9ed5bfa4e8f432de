public import Foundation
import SystemPort

/// An action on one call.
open class CXCallAction: CXAction {
    /// The call.
    open private(set) var callUUID: UUID

    /// Creates an action on a call.
    ///
    /// - Parameter callUUID: the identifier by which the app reported or started the call.
    public init(call callUUID: UUID) {
        self.callUUID = callUUID
        super.init()
    }

    /// Nil for the base class, which the system does not perform.
    var kind: CallActionRecord.Kind? { nil }

    var record: CallActionRecord? { kind.map { CallActionRecord(id: uuid, call: callUUID, kind: $0) } }

    /// Creates the action that the system wants performed.
    static func make(_ record: CallActionRecord, on port: any SystemPort) -> CXCallAction {
        let call = record.call
        let action: CXCallAction
        switch record.kind {
        case .start(let handles, let contact, let isVideo):
            let handle = handles.first.map { CXHandle($0) } ?? CXHandle(type: .generic, value: "")
            let start = CXStartCallAction(call: call, handle: handle)
            start.contactIdentifier = contact
            start.isVideo = isVideo
            action = start
        case .answer: action = CXAnswerCallAction(call: call)
        case .end: action = CXEndCallAction(call: call)
        case .hold(let isOnHold): action = CXSetHeldCallAction(call: call, onHold: isOnHold)
        case .mute(let isMuted): action = CXSetMutedCallAction(call: call, muted: isMuted)
        case .group(let other): action = CXSetGroupCallAction(call: call, callUUIDToGroupWith: other)
        case .playDTMF(let digits, let type):
            let type = CXPlayDTMFCallAction.ActionType(rawValue: type) ?? .singleTone
            action = CXPlayDTMFCallAction(call: call, digits: digits, type: type)
        case .translate(let isTranslating, let local, let remote):
            action = CXSetTranslatingCallAction(
                call: call,
                isTranslating: isTranslating,
                localLanguage: local,
                remoteLanguage: remote
            )
        }
        action.progress.begin(record, on: port)
        return action
    }
}

/// Starts an outgoing call.
open class CXStartCallAction: CXCallAction {
    /// The other party.
    open var handle: CXHandle
    /// The identifier of a contact; the device has no contacts and shows the handle.
    open var contactIdentifier: String?
    /// Whether it is a video call.
    open var isVideo = false

    /// Creates the start of an outgoing call to the other party. The identifier is unique among the app's calls.
    public init(call callUUID: UUID, handle: CXHandle) {
        self.handle = handle
        super.init(call: callUUID)
    }

    /// Reports that the call has started; the date is that of the device.
    open func fulfill(withDateStarted dateStarted: Date) { progress.complete(true) }

    override var kind: CallActionRecord.Kind? {
        .start([handle.record], contact: contactIdentifier, isVideo: isVideo)
    }
}

/// Answers an incoming call.
open class CXAnswerCallAction: CXCallAction {
    /// Reports that the call is connected; the date is that of the device.
    open func fulfill(withDateConnected dateConnected: Date) { progress.complete(true) }

    override var kind: CallActionRecord.Kind? { .answer }
}

/// Ends a call, or declines it.
open class CXEndCallAction: CXCallAction {
    /// Reports that the call has ended; the date is that of the device.
    open func fulfill(withDateEnded dateEnded: Date) { progress.complete(true) }

    override var kind: CallActionRecord.Kind? { .end }
}

/// Puts a call on hold, or resumes it.
open class CXSetHeldCallAction: CXCallAction {
    /// True to hold the call, false to go on.
    open var isOnHold: Bool

    /// Creates the action: true to hold the call, false to go on.
    public init(call callUUID: UUID, onHold: Bool) {
        isOnHold = onHold
        super.init(call: callUUID)
    }

    override var kind: CallActionRecord.Kind? { .hold(isOnHold) }
}

/// Turns the microphone off or on.
open class CXSetMutedCallAction: CXCallAction {
    /// True to mute the microphone, false to open it.
    open var isMuted: Bool

    /// Creates the action: true to mute the microphone, false to open it.
    public init(call callUUID: UUID, muted: Bool) {
        isMuted = muted
        super.init(call: callUUID)
    }

    override var kind: CallActionRecord.Kind? { .mute(isMuted) }
}

/// Merges a call with another, or separates it.
open class CXSetGroupCallAction: CXCallAction {
    /// The other call; nil separates the call from its group.
    open var callUUIDToGroupWith: UUID?

    /// Creates the action: with the call to join, or nil to leave the group.
    public init(call callUUID: UUID, callUUIDToGroupWith: UUID?) {
        self.callUUIDToGroupWith = callUUIDToGroupWith
        super.init(call: callUUID)
    }

    override var kind: CallActionRecord.Kind? { .group(with: callUUIDToGroupWith) }
}

/// Sends digits of the keypad.
open class CXPlayDTMFCallAction: CXCallAction {
    /// The form in which digits are sent.
    public enum ActionType: Int, Sendable {
        /// One tone for each digit.
        case singleTone = 1
        /// Digits after a soft pause (`,`).
        case softPause = 2
        /// Digits after a hard pause (`;`), for which the user is asked.
        case hardPause = 3
    }

    /// The characters, of `0` to `9`, `*`, `#`, `,` and `;`.
    open var digits: String
    /// How the digits are to be played.
    open var type: ActionType

    /// Creates the action with the characters to play, and how to play them.
    public init(call callUUID: UUID, digits: String, type: ActionType) {
        self.digits = digits
        self.type = type
        super.init(call: callUUID)
    }

    override var kind: CallActionRecord.Kind? { .playDTMF(digits: digits, type: type.rawValue) }
}

/// The translator of a call.
@available(iOS 26.0, *)
public enum CXTranslationEngine: Int, Sendable {
    /// The system.
    case `default` = 0
    /// The app.
    case custom = 1
}

/// Turns the translation of a call on or off.
@available(iOS 26.0, *)
open class CXSetTranslatingCallAction: CXCallAction {
    /// True to translate.
    open var isTranslating: Bool
    /// The identifier of the user's language, such as `en`.
    open var localLanguage: String
    /// The identifier of the other side's language.
    open var remoteLanguage: String

    /// Creates the action for a connected call, with identifiers of languages.
    public init(call callUUID: UUID, isTranslating: Bool, localLanguage: String, remoteLanguage: String) {
        self.isTranslating = isTranslating
        self.localLanguage = localLanguage
        self.remoteLanguage = remoteLanguage
        super.init(call: callUUID)
    }

    /// Reports who translates; nobody does here.
    open func fulfill(using engine: CXTranslationEngine) { progress.complete(true) }

    override var kind: CallActionRecord.Kind? {
        .translate(isTranslating, local: localLanguage, remote: remoteLanguage)
    }
}
