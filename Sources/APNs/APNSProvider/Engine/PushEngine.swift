import APNSTransport
import Foundation
import Logging
import NIOCore
import PushClock
import PushModel
import Synchronization

/// Sends pushes to APNs: slots for those in flight, a queue for the others, connections, provider tokens and attempts.
///
/// The decisions are made by values (``Attempts``, ``ConnectionPool``, ``CredentialGate``, ``PushSlots``), under one lock;
/// the resulting actions are carried out after it (``change(_:)``).
final class PushEngine: Sendable {
    /// The attempts so far of a push of a batch, and the next step.
    typealias Earlier = (attempts: Attempts, next: Attempts.Again?)

    struct Entry: Sendable {
        var push: APNSPush
        var ticket: UInt64
        var waiter: Waiter
        /// The caller's own deadline.
        var limit: Duration?
        /// The earlier attempts, as part of a batch.
        var earlier: Earlier?
    }

    struct Link {
        var number: Int
        var connection: APNSConnection
    }

    /// A batch in flight.
    struct Run {
        var run: BatchRun
        /// The connections that carry a share of it.
        var links: [Link]
        var seen = 0
        var moment: Duration
    }

    /// A batch that waits for a connection.
    struct WaitingBatch {
        var waiter: CheckedContinuation<Void, Never>
        var moment: Duration
    }

    struct State: Sendable {
        var slots: PushSlots<Waiter>
        var line = WaitingLine<Entry>()
        /// Whether a caller in the queue has a time limit.
        var hasLimits = false
        /// Pushes that wait for a connection, by the tags of their attempts.
        var parked: [UInt64] = []
        var pool: ConnectionPool
        var links: [Link] = []
        var dials: [Int: Task<Void, Never>] = [:]
        var gate = CredentialGate()
        var tokens: ProviderTokens
        var heads = HeadCache()
        var runs: [UInt64: Run] = [:]
        var runNumber: UInt64 = 0
        /// The number of batches that have begun and not ended.
        var batches = 0
        /// Batches that wait for a connection.
        var waitingBatches: [UInt64: WaitingBatch] = [:]
        var deadlineTimer = DeadlineTimer()
        var isClosing = false
        /// The actions that were decided and not taken out yet; empty whenever the lock is free.
        var effects = Effects()
        var emptied: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { slots.count == 0 && line.isEmpty && runs.isEmpty && waitingBatches.isEmpty }

        func link(_ number: Int) -> APNSConnection? { links.first { $0.number == number }?.connection }

        mutating func takeEffects() -> Effects { exchange(&effects, with: Effects()) }
    }

    let certificate: APNSCertificate?
    let endpoint: APNSEndpoint
    let configuration: APNSClientConfiguration
    let group: any EventLoopGroup
    let executor: EventLoopExecutor
    let time: ElapsedTime
    let clock: any CivilClock
    let logger: Logger
    let metrics: APNSMetrics
    let state: Mutex<State>
    let tickets = Atomic<UInt64>(0)
    /// The number of attempts that were given up in flight, or before they were sent.
    let abandonments = Atomic<Int>(0)

    init(
        credential: APNSCredential,
        endpoint: APNSEndpoint,
        configuration: APNSClientConfiguration,
        clock: any CivilClock,
        group: any EventLoopGroup,
        logger: Logger
    ) {
        certificate = credential.certificate
        self.endpoint = endpoint
        self.configuration = configuration
        self.group = group
        executor = EventLoopExecutor(group.any())
        self.clock = clock
        self.logger = logger
        time = ElapsedTime(clock: clock)
        metrics = APNSMetrics()
        state = Mutex(
            State(
                slots: PushSlots(limit: configuration.maxInFlight),
                pool: ConnectionPool(configuration.pool),
                tokens: ProviderTokens(key: credential.key, clock: clock)
            )
        )
    }

    // MARK: - Callers

    /// Sends a push when its turn has come, and waits for the outcome.
    ///
    /// `limit` is the longest time the caller waits, including the wait for its turn. `earlier` is a push of a batch
    /// that has begun; the attempts so far, and the next step.
    ///
    /// Runs on the caller's executor, so that the task does not switch.
    nonisolated(nonsending) func send(
        _ push: APNSPush,
        within limit: Duration? = nil,
        earlier: Earlier? = nil
    ) async -> PushEnding {
        let ticket = tickets.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await Waiter.ending {
                let now = time.elapsed
                let last = limit.map { now + $0 }
                enter(Entry(push: push, ticket: ticket, waiter: $0, limit: last, earlier: earlier), at: now)
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func enter(_ entry: Entry, at now: Duration) {
        let delivery = change { state -> Delivery? in
            if state.isClosing, entry.earlier == nil {
                state.effects.finished.append((entry.waiter, PushEnding(.failed("The client was shut down."))))
                return nil
            }
            // Checked under the lock: either this sees the cancellation, or the cancellation sees the push.
            if Task.isCancelled {
                state.effects.finished.append((entry.waiter, PushEnding(Self.cancelled)))
                return nil
            }
            guard state.slots.hasRoom, state.line.isEmpty else {
                state.line.append(entry.ticket, entry)
                guard let last = entry.limit else { return nil }
                state.hasLimits = true
                watch(Self.grid(last), &state)
                return nil
            }
            let delivery = admit(entry, &state, at: now)
            if !state.effects.finished.isEmpty { settle(&state, at: now) }
            return delivery
        }
        if let delivery { deliver(entry.push, delivery) }
    }

    private func cancel(_ ticket: UInt64) {
        let now = time.elapsed
        change { state in
            if let entry = state.line.remove(ticket) {
                state.effects.finished.append((entry.waiter, PushEnding(Self.cancelled)))
            } else if let index = state.slots.index(ofTicket: ticket) {
                abandon(index, because: Self.cancellation, &state)
                finish(index, with: Self.cancelled, &state)
            }
            settle(&state, at: now)
        }
    }

    static let cancellation = "the task was cancelled"
    static let cancelled = APNSOutcome.failed("The task was cancelled.")

    // MARK: - Slots

    /// Gives a push a slot and sends it.
    private func admit(_ entry: Entry, _ state: inout State, at now: Duration) -> Delivery? {
        let push = entry.push
        func insert(_ attempts: Attempts) -> Int {
            state.slots.insert(push, ticket: entry.ticket, attempts: attempts, waiter: entry.waiter)
        }
        if let (attempts, next) = entry.earlier {
            let index = insert(attempts)
            guard let next else { return dispatch(push, at: index, &state, at: now) }
            return tryAgain(push, at: index, next: next, &state, at: now)
        }
        let end = now + configuration.deadline
        let attempts = Attempts(
            deadline: entry.limit.map { min($0, end) } ?? end,
            limit: entry.limit,
            expiry: push.headers.expiration.map { moment($0, now) }
        )
        return dispatch(push, at: insert(attempts), &state, at: now)
    }

    /// The time when a push expires; 0 means one attempt, that is: at once.
    func moment(_ expiration: APNSExpiration, _ now: Duration) -> Duration {
        let rest = Double(expiration.rawValue) - clock.date.timeIntervalSince1970
        return expiration.rawValue <= 0 ? now : now + .seconds(min(max(rest, 0), 1e9))
    }

    /// Sends a push over the connection for its token, or parks it until there is one.
    func dispatch(_ push: APNSPush, at index: Int, _ state: inout State, at now: Duration) -> Delivery? {
        if case .shut(let outcome) = state.gate.pass(at: now, configuration) {
            finish(index, with: outcome, &state)
            return nil
        }
        let attempt = state.slots.beginAttempt(index)
        guard let number = state.pool.route({ TokenHash.of(push.token) }), let link = state.link(number) else {
            state.slots[index].stage = .parked
            state.slots[index].moment = state.slots[index].attempts.deadline
            watch(state.slots[index].moment, &state)
            state.parked.append(attempt)
            obey(state.pool.fill(), &state)
            return nil
        }
        let token: ProviderTokens.Token?
        do { token = try state.tokens.token(at: now) } catch {
            finish(index, with: .failed("No provider token could be signed: \(error)."), &state)
            return nil
        }
        let head = state.heads.head(push.headers.shared, token)
        state.slots[index].stage = .sent
        state.slots[index].connection = number
        state.slots[index].tokenNumber = token?.number ?? 0
        state.slots[index].sentAt = now
        // Also beyond the deadline: a push that may have been sent is awaited, unless its caller has a limit.
        let answer = now + configuration.answerTimeout
        let moment = state.slots[index].attempts.limit.map { min($0, answer) } ?? answer
        state.slots[index].moment = moment
        watch(moment, &state)
        let abandonments = abandonments.load(ordering: .relaxed)
        return Delivery(connection: link, tag: attempt, head: head, abandonments: abandonments)
    }

    /// Frees a slot; the waiter is resumed afterwards.
    func finish(_ index: Int, with outcome: APNSOutcome, _ state: inout State) {
        let ending = PushEnding(outcome, after: state.slots[index].attempts)
        guard let waiter = state.slots.remove(index) else { return }
        state.effects.finished.append((waiter, ending))
    }

    /// Abandons an attempt; the other side may still act on it.
    func abandon(_ index: Int, because reason: String, _ state: inout State) {
        guard state.slots[index].stage == .sent, let link = state.link(state.slots[index].connection) else { return }
        let tag = state.slots.tag(index)
        abandonments.wrappingAdd(1, ordering: .relaxed)
        state.effects.abandoned.append((link, tag...tag, reason))
    }

    /// Handles the result of an attempt.
    func apply(_ step: Attempts.Step, of index: Int, _ state: inout State, at now: Duration) {
        switch step {
        case .done(let outcome): finish(index, with: outcome, &state)
        case .again(let next):
            apply(next, connection: state.slots[index].connection, tokenNumber: state.slots[index].tokenNumber, &state)
            guard let push = state.slots[index].push else { return }
            let delivery = tryAgain(push, at: index, next: next, &state, at: now)
            if let delivery { state.effects.deliveries.append((push, delivery)) }
        }
    }

    /// Sends a push again that waited for a connection or for the end of its pause.
    func resend(_ index: Int, _ state: inout State, at now: Duration) {
        guard let push = state.slots[index].push else { return }
        let delivery = dispatch(push, at: index, &state, at: now)
        if let delivery { state.effects.deliveries.append((push, delivery)) }
    }

    func tryAgain(
        _ push: APNSPush,
        at index: Int,
        next: Attempts.Again,
        _ state: inout State,
        at now: Duration
    ) -> Delivery? {
        state.effects.retried.append((push, next.reason))
        guard next.pause > .zero else { return dispatch(push, at: index, &state, at: now) }
        state.slots[index].stage = .pausing
        state.slots[index].moment = min(Self.grid(now + next.pause), state.slots[index].attempts.deadline)
        watch(state.slots[index].moment, &state)
        return nil
    }

    /// Applies the result of an attempt to connection and token.
    func apply(_ next: Attempts.Again, connection: Int, tokenNumber: Int32, _ state: inout State) {
        if next.renewsToken { state.tokens.renew(insteadOf: tokenNumber) }
        if next.leavesConnection { retire(connection, because: next.reason, &state) }
    }

    func retire(_ number: Int, because reason: String, _ state: inout State) {
        obey(state.pool.retire(number, because: reason, isWanted: !state.isIdle), &state)
    }

    /// Rounds the ends of pauses to a grid, so that many of them need only one wake-up.
    static func grid(_ moment: Duration) -> Duration {
        let step: Int64 = 10_000_000_000_000_000
        let rest = moment.components.attoseconds % step
        return rest == 0 ? moment : moment + Duration(secondsComponent: 0, attosecondsComponent: step - rest)
    }

    /// Admits waiting pushes as far as there is room; called after every change that may have freed slots.
    func settle(_ state: inout State, at now: Duration) {
        while state.slots.hasRoom, let entry = state.line.popFirst() {
            let delivery = admit(entry, &state, at: now)
            if let delivery { state.effects.deliveries.append((entry.push, delivery)) }
        }
        if state.line.isEmpty { state.hasLimits = false }
        guard state.isIdle else { return }
        state.deadlineTimer.stop()
        guard state.isClosing, state.batches == 0 else { return }
        state.effects.woken += state.emptied
        state.emptied = []
    }

    // MARK: - The end

    /// Accepts no new pushes, and returns when the last one has its outcome and all connections are closed.
    func shutdown() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                state.isClosing = true
                if state.isIdle, state.batches == 0 { return true }
                state.emptied.append(continuation)
                return false
            }
            if isEmpty { continuation.resume() }
        }
        let dials = state.withLock(\.dials.values)
        for dial in dials { dial.cancel() }
        for dial in dials { await dial.value }
        let links = state.withLock(\.links)
        for link in links { link.connection.leave("the client was shut down") }
        for link in links { await link.connection.waitUntilClosed() }
    }
}
