/// Where a journey has come to, with a sentence that a person can act on.
public struct Verdict: Hashable, Sendable {
    public var state: State
    public var sentence: String

    /// In rising order of how much of the road lies behind the push.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case unknown
        case waiting
        case paused
        case suppressed
        case withdrawn
        case refused
        case sent
        case stored
        case coalesced
        case expired
        case delivered
        /// The app ended by itself while it worked on it, and nothing was shown.
        case crashed
        /// The app ran for it, and nothing was shown.
        case handled
        case shown
        case dismissed
        case opened

        /// The person has seen something of it.
        fileprivate var isSeen: Bool { self == .shown || self == .dismissed || self == .opened }
    }

    /// What the events alone do not say.
    public struct Context: Hashable, Sendable {
        public var pushEnvironment: APNSEnvironment?
        public var deviceEnvironment: APNSEnvironment?
        /// What is wrong with a token that APNs has refused, as far as it can be known.
        public var tokenFault: TokenFault?

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

    /// Judges a journey by the event that got furthest, whatever order the reports came in.
    public init(_ events: [JourneyEvent], context: Context = Context()) {
        var furthest = Verdict(state: .unknown, sentence: "nothing is known of this push and this device")
        var furthestRank = 0
        for event in events {
            guard let verdict = Verdict(event, context: context) else { continue }
            let rank = Self.rank(of: event)
            if rank >= furthestRank { (furthest, furthestRank) = (verdict, rank) }
        }
        self = furthest
        for event in events {
            if case .crashed(let reason) = event.kind, state.isSeen {
                sentence += "; the app ended while it worked on it: \(reason)"
                break
            }
        }
    }

    fileprivate init(state: State, sentence: String) {
        self.state = state
        self.sentence = sentence
    }

    /// How far along the road an event lies; of two equal ones the later counts.
    private static func rank(of event: JourneyEvent) -> Int {
        switch event.kind {
        // It waits there, and goes on later.
        case .suppressed where event.station == .gateway: 50
        case .accepted, .targeted, .retried, .quietHours(_, isHeld: true): 10
        case .paused: 20
        // Suppressed before it left the service: what APNs said of an earlier attempt tells more.
        case .sent, .withdrawn, .suppressed(.environment), .suppressed(.noToken), .suppressed(.tokenRefused),
            .suppressed(.pushOff), .quietHours:
            30
        case .refused: 40
        case .stored: 50
        case .coalesced, .expired: 60
        case .delivered: 70
        case .suppressed: 80
        case .finished: 90
        case .crashed: 95
        case .presented(.badge): 100
        case .presented(.sound): 101
        case .presented(.list): 102
        case .presented(.lockScreen), .presented(.carPlay): 103
        case .presented(.banner), .presented(.inApp): 104
        case .dismissed: 110
        case .opened, .acted, .replied: 120
        case .woken, .callback, .serviceExtension, .scheduled, .replaced, .evicted, .fired: 0
        }
    }

    private init?(_ event: JourneyEvent, context: Context) {
        switch event.kind {
        case .suppressed(.budget) where event.station == .gateway:
            self.init(
                state: .stored,
                sentence: "waits at the gateway: the background pushes that it lets through in this time are used up"
            )
        case .accepted, .targeted:
            self.init(state: .waiting, sentence: "accepted and on disk; not sent yet")
        case .retried(let reason):
            self.init(state: .waiting, sentence: "not sent yet (\(reason)); it is being tried again")
        case .quietHours(let until, let isHeld):
            self.init(state: isHeld ? .waiting : .suppressed, sentence: Self.quietSentence(until, isHeld: isHeld))
        case .paused(let reason): self.init(state: .paused, sentence: reason.sentence)
        case .withdrawn:
            self.init(
                state: .withdrawn,
                sentence: "not sent: it was withdrawn (DELETE /v3/push/{msg_id}) before its turn came"
            )
        case .sent: self.init(state: .sent, sentence: "accepted by APNs; the app has not reported")
        case .refused(let reason):
            let fault = reason.isAboutToken && !reason.isTokenGone ? context.tokenFault : nil
            self.init(state: .refused, sentence: "refused by APNs: \(reason): \(fault?.sentence ?? reason.advice)")
        case .stored:
            self.init(
                state: .stored,
                sentence: "waits at the gateway until the device connects, or wakes up if the priority is below 10"
            )
        case .coalesced:
            self.init(
                state: .coalesced,
                sentence: "not delivered: a newer push took its place while the device was away"
            )
        case .expired:
            self.init(
                state: .expired,
                sentence: "not delivered: its time to live ended before the device could have it"
            )
        case .delivered: self.init(state: .delivered, sentence: "delivered to the device; nothing was shown yet")
        case .woken, .callback, .serviceExtension, .scheduled, .replaced, .evicted, .fired: return nil
        case .crashed(let reason):
            self.init(
                state: .crashed,
                sentence: """
                    delivered; the app ended while it worked on it: \(reason); what it said last is on its standard error
                    """
            )
        case .finished(let outcome): self.init(state: .handled, sentence: outcome.sentence)
        case .suppressed(let reason):
            self.init(state: .suppressed, sentence: reason.sentence(context))
        case .presented(let how): self.init(state: .shown, sentence: "shown (\(how.sentence)); not opened yet")
        case .dismissed: self.init(state: .dismissed, sentence: "shown, and dismissed by the person")
        case .opened: self.init(state: .opened, sentence: "shown, and opened by the person")
        case .acted(let action): self.init(state: .opened, sentence: "shown; the person chose the action '\(action)'")
        case .replied(let length):
            self.init(state: .opened, sentence: "shown; the person replied with \(length) characters")
        }
    }
}

extension Verdict {
    public static let notInAudience = Verdict(
        state: .unknown,
        sentence: "not sent: the device was not in the push's audience when it was accepted"
    )
}
