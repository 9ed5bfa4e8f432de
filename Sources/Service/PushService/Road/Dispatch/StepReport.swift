import Foundation
import PushModel

/// The results of a step: the bits, rows and pauses that follow from its outcomes.
struct StepReport: Sendable {
    /// A message on its way to a device.
    struct Push: Hashable, Sendable {
        var message: MessageID
        var ordinal: DeviceOrdinal
    }

    /// The results for the places of one chunk.
    struct Part: Sendable {
        let chunk: Chunk.ID
        /// The first place.
        let start: Int
        /// The place before which all places have been handed out.
        let end: Int
        var sent = PlaceSet()
        var settled = PlaceSet()
        var undecided: [ChunkProgress.Undecided] = []
        /// Places that wait for the end of a pause.
        var held: [Int] = []
        var pause: Pause?

        init(_ part: LanePlan.Step.Part) {
            chunk = part.leased.chunk.id
            start = part.places[0]
            end = part.end
        }
    }

    /// The numbers of pushes that did not get a 200.
    struct Tally: Sendable {
        var refused = 0
        var undecided = 0
        /// Held back until the end of a pause.
        var paused = 0
        /// Not handed to APNs at all.
        var suppressed = 0
    }

    let now: Date
    let app: App.ID
    private(set) var parts: [Part] = []
    private(set) var deviceEvents: [JourneyEntry] = []
    private(set) var stepEvents: [StepEvent] = []
    private(set) var refusedTokens: [RefusedToken] = []
    private(set) var observations: [(Push, JourneyEvent.Kind)] = []
    private(set) var pause: Pause?
    private(set) var sentCount = 0
    private(set) var tally = Tally()
    /// The reason why pushes are undecided; nil if none are.
    private(set) var trouble: String?
    /// Whether there is an observer of each device's events.
    let isObserved: Bool

    /// Adds the outcomes of a part, by an index in ``LanePlan/Step/Part/places``; `backOff` returns the pause after a
    /// number of attempts.
    mutating func add(
        _ part: LanePlan.Step.Part,
        _ targets: Targets,
        outcome: (Int) -> Outcome,
        backOff: (Int) -> TimeInterval
    ) {
        var report = Part(part)
        var notes = Notes()
        let leased = part.leased
        for (index, place) in part.places.enumerated() {
            let push = Push(
                message: leased.content.messageID(at: leased.contentPlace(place)),
                ordinal: leased.chunk.ordinals.ordinals[place]
            )
            switch outcome(index) {
            case .unreadable:
                report.settled.insert(place)
                tally.suppressed += 1
                notes.add(.suppressed(.unreadable), push)
            case .untargeted(let absence):
                report.settled.insert(place)
                tally.suppressed += 1
                notes.add(.suppressed(absence), push)
            case .quiet(let decision):
                if case .hold(let until) = decision, let problem = decision.event {
                    report.leaveUndecided(place, of: leased, ordinal: push.ordinal, until: until, problem: problem)
                } else {
                    report.settled.insert(place)
                    tally.suppressed += 1
                }
                if let event = decision.event { notes.add(event, push) }
            case .sent:
                report.sent.insert(place)
                sentCount += 1
                if let problem = leased.unreportedProblem { notes.add(problem, push) }
                if isObserved { observations.append((push, .sent)) }
            case .ended(let outcome):
                add(
                    outcome,
                    of: push,
                    to: targets[index],
                    at: place,
                    of: leased,
                    in: &report,
                    notes: &notes,
                    backOff: backOff
                )
            }
        }
        parts.append(report)
        add(notes, of: leased.chunk.id.message)
    }

    enum Outcome {
        case sent
        case ended(SendOutcome)
        /// The device no longer has a token for the push's environment.
        case untargeted(SuppressionReason)
        /// The stored push cannot be read.
        case unreadable
        /// The device has quiet hours.
        case quiet(QuietHoursDecision)
    }

    private mutating func add(
        _ outcome: SendOutcome,
        of push: Push,
        to target: Target,
        at place: Int,
        of leased: LeasedChunk,
        in report: inout Part,
        notes: inout Notes,
        backOff: (Int) -> TimeInterval
    ) {
        let attempts = leased.attempts(endingWith: outcome)
        let outcome = outcome.ended(after: attempts)
        let decided =
            switch outcome.ending {
            case .sent, .refused: true
            case .paused, .undecided: false
            }
        if decided {
            if let problem = leased.unreportedProblem { notes.add(problem, push) }
            for reason in outcome.retries { notes.add(.retried(reason), push) }
        }
        switch outcome.ending {
        case .sent:
            report.sent.insert(place)
            sentCount += 1
            if isObserved { observations.append((push, .sent)) }
        case .refused(let reason, let unregisteredAt):
            tally.refused += 1
            report.settled.insert(place)
            notes.add(.refused(reason), push)
            if let token = target.token, reason.isAboutToken {
                let since = unregisteredAt.map { Date(timeIntervalSince1970: Double($0) / 1000) } ?? now
                let device = DeviceID(app: app, ordinal: target.ordinal)
                refusedTokens.append(RefusedToken(device: device, token: token, reason: reason, since: since))
            }
        case .paused(let reason, let detail):
            let found = Pause(reason: reason, detail: detail, until: now.addingTimeInterval(Self.pauseSeconds))
            pause = found
            report.pause = found
            tally.paused += 1
            report.held.append(place)
            if isObserved { observations.append((push, .paused(reason))) }
        case .undecided(let description, let after):
            tally.undecided += 1
            trouble = description
            let reason = outcome.retries.last ?? description
            // However long APNs asks to wait, waiting beyond the time to live is pointless.
            let left = max(0, leased.content.expiresAt.timeIntervalSince(now))
            let asked = min(left, after.map { $0 / .seconds(1) } ?? 0)
            let date = now.addingTimeInterval(max(backOff(attempts), asked))
            report.leaveUndecided(
                place,
                of: leased,
                ordinal: push.ordinal,
                until: date,
                problem: .retried(reason),
                attempt: attempts
            )
            if isObserved { observations.append((push, .retried(reason))) }
        }
    }

    /// The duration of a pause in seconds, after which a single push is tried.
    private static let pauseSeconds: TimeInterval = 60

    /// The events of devices, grouped by kind.
    private struct Notes {
        var pushes: [(kind: JourneyEvent.Kind, pushes: [Push])] = []

        mutating func add(_ kind: JourneyEvent.Kind, _ push: Push) {
            if let index = pushes.firstIndex(where: { $0.kind == kind }) {
                pushes[index].pushes.append(push)
            } else {
                pushes.append((kind, [push]))
            }
        }
    }

    /// Stores the events of each kind in one row, whatever the number of devices.
    private mutating func add(_ notes: Notes, of message: MessageID) {
        for (kind, pushes) in notes.pushes {
            let event = JourneyEvent.service(kind, at: now)
            if pushes.count == 1, let push = pushes.first {
                deviceEvents.append(JourneyEntry(message: push.message, ordinal: push.ordinal, event: event))
            } else {
                stepEvents.append(StepEvent(message: message, event: event, ordinals: pushes.map(\.ordinal)))
            }
            if isObserved { observations += pushes.map { ($0, kind) } }
        }
    }
}

extension StepReport.Part {
    /// Leaves a place undecided. Undecided places share the latest of their due times, except for quiet hours, where each end time
    /// is kept separately.
    fileprivate mutating func leaveUndecided(
        _ place: Int,
        of leased: LeasedChunk,
        ordinal: DeviceOrdinal,
        until date: Date,
        problem: JourneyEvent.Kind,
        attempt: Int? = nil
    ) {
        let index = undecided.firstIndex { $0.isTogether(with: problem) } ?? undecided.count
        if index == undecided.count {
            undecided.append(
                ChunkProgress.Undecided(
                    places: [],
                    ordinals: [],
                    dueAt: date,
                    attempt: attempt ?? leased.attempts,
                    problem: problem
                )
            )
        }
        undecided[index].places.append(place)
        undecided[index].ordinals.append(ordinal)
        undecided[index].dueAt = max(undecided[index].dueAt, date)
    }
}

extension ChunkProgress.Undecided {
    fileprivate func isTogether(with other: JourneyEvent.Kind) -> Bool {
        switch (problem, other) {
        case (.quietHours, _), (_, .quietHours): problem == other
        default: true
        }
    }
}

extension LeasedChunk {
    /// The number of attempts with the one that was made.
    fileprivate var attempts: Int { isRetry ? chunk.attempt + 1 : 1 }

    /// Returns the number of attempts with the one that was made; resets of the stream count from the first of their kind.
    fileprivate func attempts(endingWith outcome: SendOutcome) -> Int {
        guard let reset = outcome.reset, chunk.problem != .retried(reset.rawValue) else { return attempts }
        return 1
    }
}

extension SendOutcome {
    /// The error with which APNs has reset the push's stream, if that is why it is undecided.
    fileprivate var reset: APNSReason? {
        guard case .undecided = ending, let reason = retries.last.map(APNSReason.init(rawValue:)) else { return nil }
        return reason.isStreamReset ? reason : nil
    }

    /// Returns the outcome, or the refusal that it becomes when APNs has reset the push's stream with the same error in so many
    /// attempts in a row.
    fileprivate func ended(after attempts: Int) -> SendOutcome {
        guard let reset, attempts >= reset.resetAttempts else { return self }
        return SendOutcome(.refused(reset, unregisteredAt: nil))
    }
}
