import Foundation

/// The conclusion of a journey, with a sentence that tells the user what to do.
public struct Verdict: Hashable, Sendable {
    /// The state that the push has reached.
    public var state: State
    /// The conclusion in words, without a full stop.
    public var sentence: String

    /// The state of a push, in the order of its progress.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// No event of the push is known.
        case unknown
        /// It waits for its turn, or for a retry.
        case waiting
        /// Its app is paused at the service, for example for a credential that APNs refuses.
        case paused
        /// It was not sent, or not shown, by a rule.
        case suppressed
        /// It was withdrawn by the sender before it was sent.
        case withdrawn
        /// APNs refused it.
        case refused
        /// APNs accepted it; nothing later is known.
        case sent
        /// The gateway keeps it for a device that is not connected.
        case stored
        /// A newer push with the same collapse id, or for the same waiting device, took its place.
        case coalesced
        /// Its time to live ended before the device was connected.
        case expired
        /// It is on the device; nothing shows that the user saw it.
        case delivered
        /// The app crashed while handling it, and nothing was shown.
        case crashed
        /// The app handled it, and nothing was shown.
        case handled
        /// The device showed it.
        case shown
        /// The user removed it without opening it.
        case dismissed
        /// The user opened it, or chose one of its buttons.
        case opened

        /// Whether the user has seen something of it.
        fileprivate var isSeen: Bool { self == .shown || self == .dismissed || self == .opened }
    }

    /// The facts that the events do not contain.
    public struct Context: Hashable, Sendable {
        /// The APNs environment that the push was sent to.
        public var pushEnvironment: APNSEnvironment?
        /// The APNs environment that the device's token belongs to.
        public var deviceEnvironment: APNSEnvironment?
        /// The fault of a token that APNs refused, as far as known.
        public var tokenFault: TokenFault?

        /// Creates a context; nil stands for unknown.
        public init(
            pushEnvironment: APNSEnvironment? = nil,
            deviceEnvironment: APNSEnvironment? = nil,
            tokenFault: TokenFault? = nil
        ) {
            self.pushEnvironment = pushEnvironment
            self.deviceEnvironment = deviceEnvironment
            self.tokenFault = tokenFault
        }
    }

    /// Judges a journey by its most advanced event, independent of the order of reports.
    public init(_ events: [JourneyEvent], context: Context = Context()) {
        var furthest = Verdict(.unknown, .unknown)
        var furthestRank = 0
        for event in events {
            let rank = Self.rank(of: event)
            guard rank >= furthestRank, let verdict = Verdict(event, context: context) else { continue }
            furthest = verdict
            furthestRank = rank
        }
        self = furthest
        if state == .handled, let inFront = Self.sentenceInFront(events, context) { sentence = inFront }
        if state.isSeen, events.contains(where: { $0.kind == .suppressed(.reportedTwice) }) {
            sentence = Phrase.alsoReported.english(["verdict": sentence])
        }
        for event in events {
            if case .crashed(let reason) = event.kind, state.isSeen {
                sentence = Phrase.alsoCrashed.english(["verdict": sentence, "reason": reason])
                break
            }
        }
    }

    private init(state: State, sentence: String) {
        self.state = state
        self.sentence = sentence
    }

    private init(_ state: State, _ phrase: Phrase, with values: [String: String] = [:]) {
        self.init(state: state, sentence: phrase.english(values))
    }

    /// Returns the progress that an event stands for; of two equal events the later counts.
    private static func rank(of event: JourneyEvent) -> Int {
        switch event.kind {
        // The push waits there and continues later.
        case .suppressed where event.station == .gateway: 50
        case .accepted, .targeted, .retried, .quietHours(_, isHeld: true): 10
        case .paused: 20
        // Suppressed in the service: the response of APNs to an earlier attempt is more informative.
        case .suppressed(let reason) where reason.effect == .notSent: 30
        case .sent, .withdrawn, .quietHours: 30
        case .refused: 40
        case .stored: 50
        // A push that the device held until it expired.
        case .expired where event.station == .device: 85
        case .coalesced, .expired: 60
        case .delivered: 70
        // The Simulator took the push: that it was delivered says more.
        case .suppressed(.simulatorHeaders): 69
        // Why it had been ended.
        case .suppressed(.reportedLate): 96
        case .suppressed, .notDecoded: 80
        case .finished: 90
        case .crashed: 95
        case .presented(.badge): 100
        case .presented(.sound): 101
        case .presented(.list): 102
        case .presented(.lockScreen), .presented(.carPlay): 103
        case .presented(.banner), .presented(.inApp), .presented(.activityStarted), .presented(.activityUpdated),
            .presented(.activityEnded), .presented(.call), .presented(.conversation), .presented(.widgets):
            104
        case .dismissed, .takenBack: 110
        case .opened, .acted, .replied: 120
        case .woken, .callback, .serviceExtension, .scheduled, .replaced, .evicted, .fired: 0
        }
    }

    /// Returns the sentence for a push that met its app in front, and of which only the app delegate heard; nil for any other.
    private static func sentenceInFront(_ events: [JourneyEvent], _ context: Context) -> String? {
        let isInFront = events.contains { event in
            // Inactive behind a prompt.
            if case .callback(let name, let state) = event.kind {
                state != .background && name.contains("didReceiveRemoteNotification")
            } else {
                false
            }
        }
        let outcomes = events.compactMap { if case .finished(let outcome) = $0.kind { outcome } else { nil } }
        guard isInFront, let outcome = outcomes.last else { return nil }
        let reasons = events.compactMap { event in
            if case .suppressed(let reason) = event.kind { reason.sentence(context) } else { nil }
        }
        guard let reason = reasons.last else { return outcome.sentenceInFront() }
        let delivered = "delivered, "
        let unseen = reason.hasPrefix(delivered) ? String(reason.dropFirst(delivered.count)) : reason
        return outcome.sentenceInFront(unseen: unseen)
    }

    private init?(_ event: JourneyEvent, context: Context) {
        switch event.kind {
        case .suppressed(.budget) where event.station == .gateway: self.init(.stored, .storedByBudget)
        case .accepted, .targeted: self.init(.waiting, .waiting)
        case .retried(let reason): self.init(.waiting, .retried, with: ["reason": reason])
        case .quietHours(let end, isHeld: true):
            self.init(.waiting, .heldInQuietHours, with: ["end": end.formatted(.iso8601)])
        case .quietHours(let end, isHeld: false):
            self.init(.suppressed, .endedInQuietHours, with: ["end": end.formatted(.iso8601)])
        case .paused(let reason): self.init(state: .paused, sentence: reason.sentence)
        case .withdrawn: self.init(.withdrawn, .withdrawn)
        case .sent: self.init(.sent, .sent)
        case .refused(let reason):
            let fault = reason.isAboutToken && !reason.isTokenGone ? context.tokenFault : nil
            let explanation = fault?.sentence ?? reason.advice.clause
            self.init(.refused, .refused, with: ["reason": "\(reason)", "explanation": explanation])
        case .stored: self.init(.stored, .stored)
        case .coalesced: self.init(.coalesced, .coalesced)
        case .expired: self.init(.expired, event.station == .device ? .expiredOnDevice : .expired)
        case .delivered: self.init(.delivered, .delivered)
        case .woken, .callback, .serviceExtension, .scheduled, .replaced, .evicted, .fired: return nil
        case .crashed(let reason): self.init(.crashed, .crashed, with: ["reason": reason])
        case .finished(let outcome): self.init(state: .handled, sentence: outcome.sentence)
        case .notDecoded(let problem): self.init(.suppressed, .notDecoded, with: ["problem": problem])
        case .suppressed(let reason):
            self.init(state: reason == .reportedLate ? .crashed : .suppressed, sentence: reason.sentence(context))
        case .acted("CXAnswerCallAction"): self.init(.opened, .callAnswered)
        case .acted("CXEndCallAction"): self.init(.opened, .callDeclined)
        case .acted("JoinConversationAction"): self.init(.opened, .conversationJoined)
        case .acted("EndConversationAction"): self.init(.opened, .conversationDeclined)
        case .presented(let how): self.init(state: .shown, sentence: how.sentence)
        case .dismissed: self.init(.dismissed, .dismissed)
        case .takenBack(let wasShown): self.init(.handled, wasShown ? .removed : .absent)
        case .opened: self.init(.opened, .opened)
        case .acted(let action): self.init(.opened, .acted, with: ["action": action])
        case .replied(let length): self.init(.opened, .replied, with: ["count": "\(length)"])
        }
    }
}

extension Verdict: JSONFormed {
    /// A state that this version does not know is ``State/unknown``.
    package static var form: JSONForm<Verdict> {
        JSONForm("a verdict") { json in
            let state = json.object?["state"]?.string.flatMap(State.init(rawValue:))
            return json.object?["sentence"]?.string.map { Verdict(state: state ?? .unknown, sentence: $0) }
        }
    }
    package var json: JSONValue { ["state": .string(state.rawValue), "sentence": .string(sentence)] }

    /// The verdict for a device that the push was not addressed to.
    public static let notInAudience = Verdict(.unknown, .notInAudience)
}

extension Verdict {
    /// Judges the journey of a custom message, which goes over the SDK link instead of APNs.
    public init(ofCustomMessage events: [JourneyEvent]) {
        self.init(events)
        sentence = Words.english.journeys["custom_\(state.rawValue)"] ?? sentence
    }

    /// Judges the journey of an in-app message.
    public init(ofInAppMessage events: [JourneyEvent]) {
        self.init(ofCustomMessage: events)
        sentence = Words.english.journeys["inApp_\(state.rawValue)"] ?? sentence
    }
}
