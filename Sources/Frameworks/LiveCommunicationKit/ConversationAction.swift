import CallAudio
public import Foundation
import SystemPort

/// Something that an app does with a conversation, for the user or on its own.
public class ConversationAction {
    let progress: ActionProgress
    /// The manager that has it in its list.
    weak var manager: ConversationManager?
    /// The conversation.
    public let conversationUUID: UUID

    /// Creates an action, which the app is to perform until a date.
    public convenience init(conversationUUID: UUID, timeoutDate: Date = Date(timeIntervalSinceNow: 30)) {
        self.init(of: conversationUUID, until: timeoutDate)
    }

    init(of conversationUUID: UUID, until timeoutDate: Date = Date(timeIntervalSinceNow: 30)) {
        self.conversationUUID = conversationUUID
        progress = ActionProgress(timeout: timeoutDate)
    }

    /// Identifies the action.
    public var uuid: UUID { progress.id }
    /// The time after which the action cannot be completed any more: 30 seconds after the app asked for it, or 10 after the user did,
    /// for which Apple documents none.
    public var timeoutDate: Date { progress.timeout }

    /// The state of an action.
    public enum State: Codable, Hashable, Sendable {
        /// The app has created it.
        case idle
        /// The app is to perform it.
        case running
        /// The app has fulfilled it.
        case complete
        /// The app has failed it, or its time was over. The texts are ours.
        case failed(reason: String)
    }

    /// The state of the action.
    public var state: State {
        switch progress.state {
        case .idle: .idle
        case .running: .running
        case .fulfilled: .complete
        case .failed(let reason): .failed(reason: reason)
        }
    }

    /// Reports that the app has performed the action. Only the first report counts.
    public final func fulfill() { complete(true) }

    /// Reports that the app cannot perform the action. Only the first report counts.
    public final func fail() { complete(false) }

    private func complete(_ isFulfilled: Bool) {
        progress.complete(isFulfilled)
        manager?.changed(\.pendingActions)
    }

    /// Nil for the base class, which the system does not perform.
    var kind: CallActionRecord.Kind? { nil }

    var record: CallActionRecord? { kind.map { CallActionRecord(id: uuid, call: conversationUUID, kind: $0) } }

    /// Creates the action that the system wants performed.
    static func make(_ record: CallActionRecord) -> ConversationAction {
        let id = record.call
        return switch record.kind {
        case .start(let handles, _, let isVideo):
            StartConversationAction(conversationUUID: id, handles: handles.map { Handle($0) }, isVideo: isVideo)
        case .answer: JoinConversationAction(conversationUUID: id)
        case .end: EndConversationAction(conversationUUID: id)
        case .hold(let isPaused): PauseConversationAction(conversationUUID: id, isPaused: isPaused)
        case .mute(let isMuted): MuteConversationAction(conversationUUID: id, isMuted: isMuted)
        case .group(let other?): MergeConversationAction(conversationUUID: id, conversationUUIDToMergeWith: other)
        case .group(nil): UnmergeConversationAction(conversationUUID: id)
        case .playDTMF(let digits, let type):
            PlayToneAction(conversationUUID: id, digits: digits, tone: .init(rawValue: type - 1) ?? .single)
        case .translate(let isTranslating, let local, let remote):
            SetTranslatingAction(
                conversationID: id,
                isTranslating: isTranslating,
                localLanguage: Locale.Language(identifier: local),
                remoteLanguage: Locale.Language(identifier: remote)
            )
        }
    }
}

/// Starts an outgoing conversation.
public final class StartConversationAction: ConversationAction {
    /// The other participants.
    public let handles: [Handle]
    /// Whether it has video.
    public let isVideo: Bool

    /// Creates the start of a conversation; the identifier is unique among the app's conversations.
    public init(conversationUUID: UUID, handles: [Handle], isVideo: Bool) {
        self.handles = handles
        self.isVideo = isVideo
        super.init(of: conversationUUID)
    }

    /// Reports that the conversation has started; the date is that of the device.
    public func fulfill(dateStarted: Date) { fulfill() }

    override var kind: CallActionRecord.Kind? { .start(handles.map(\.record), contact: nil, isVideo: isVideo) }
}

/// Joins an incoming conversation: the user has answered.
public final class JoinConversationAction: ConversationAction {
    /// Creates the action.
    public init(conversationUUID: UUID) { super.init(of: conversationUUID) }

    /// Reports that the conversation is connected; the date is that of the device.
    public func fulfill(dateConnected: Date) { fulfill() }

    override var kind: CallActionRecord.Kind? { .answer }
}

/// Ends a conversation, or declines it.
public final class EndConversationAction: ConversationAction {
    /// Creates the action.
    public init(conversationUUID: UUID) { super.init(of: conversationUUID) }

    /// Reports that the conversation has ended; the date is that of the device.
    public func fulfill(dateEnded: Date) { fulfill() }

    override var kind: CallActionRecord.Kind? { .end }
}

/// Turns the microphone off or on.
public final class MuteConversationAction: ConversationAction {
    /// True to mute the microphone, false to open it.
    public let isMuted: Bool

    /// Creates the action.
    public init(conversationUUID: UUID, isMuted: Bool) {
        self.isMuted = isMuted
        super.init(of: conversationUUID)
    }

    override var kind: CallActionRecord.Kind? { .mute(isMuted) }
}

/// Pauses a conversation, or resumes it.
public final class PauseConversationAction: ConversationAction {
    /// True to pause, false to resume.
    public let isPaused: Bool

    /// Creates the action.
    public init(conversationUUID: UUID, isPaused: Bool) {
        self.isPaused = isPaused
        super.init(of: conversationUUID)
    }

    override var kind: CallActionRecord.Kind? { .hold(isPaused) }
}

/// Merges a conversation with another.
public final class MergeConversationAction: ConversationAction {
    /// The other conversation.
    public let conversationUUIDToMergeWith: UUID

    /// Creates the action.
    public init(conversationUUID: UUID, conversationUUIDToMergeWith: UUID) {
        self.conversationUUIDToMergeWith = conversationUUIDToMergeWith
        super.init(of: conversationUUID)
    }

    override var kind: CallActionRecord.Kind? { .group(with: conversationUUIDToMergeWith) }
}

/// Separates a conversation from those that it was merged with.
public final class UnmergeConversationAction: ConversationAction {
    /// Creates the action.
    public init(conversationUUID: UUID) { super.init(of: conversationUUID) }

    override var kind: CallActionRecord.Kind? { .group(with: nil) }
}

/// Sends digits of the keypad.
public final class PlayToneAction: ConversationAction {
    /// The form in which digits are sent. Apple documents no raw values: those here are ours.
    public enum Tone: Int, Hashable, Sendable {
        /// One tone for each digit.
        case single
        /// Digits after a soft pause (`,`).
        case softPause
        /// Digits after a hard pause (`;`), for which the user is asked.
        case hardPause
    }

    /// The characters, of `0` to `9`, `*`, `#`, `,` and `;`.
    public let digits: String
    /// How the digits are to be played.
    public let tone: Tone

    /// Creates the action.
    public init(conversationUUID: UUID, digits: String, tone: Tone) {
        self.digits = digits
        self.tone = tone
        super.init(of: conversationUUID)
    }

    // CallKit's types begin with 1.
    override var kind: CallActionRecord.Kind? { .playDTMF(digits: digits, type: tone.rawValue + 1) }
}

/// Turns the translation of a connected conversation on or off.
@available(iOS 26.0, *)
public final class SetTranslatingAction: ConversationAction {
    /// The translator of a conversation.
    public enum TranslationEngine: Hashable {
        /// The system.
        case `default`
        /// The app.
        case custom
    }

    /// True to translate.
    public let isTranslating: Bool
    /// The user's language.
    public let localLanguage: Locale.Language
    /// The language of the other side.
    public let remoteLanguage: Locale.Language

    /// Creates the action.
    public init(
        conversationID: UUID,
        isTranslating: Bool,
        localLanguage: Locale.Language,
        remoteLanguage: Locale.Language
    ) {
        self.isTranslating = isTranslating
        self.localLanguage = localLanguage
        self.remoteLanguage = remoteLanguage
        super.init(of: conversationID)
    }

    /// Reports who translates; nobody does here.
    public func fulfill(using engine: TranslationEngine) { fulfill() }

    override var kind: CallActionRecord.Kind? {
        .translate(isTranslating, local: localLanguage.minimalIdentifier, remote: remoteLanguage.minimalIdentifier)
    }
}
