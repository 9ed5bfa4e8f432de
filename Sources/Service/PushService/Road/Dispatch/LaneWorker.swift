import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Sends the waiting pushes of a lane until nothing is due or it is another lane's turn.
///
/// Several steps are in progress at a time: while the outcomes of one arrive, the next is on the wire, and the outcomes of previous
/// ones are written to disk. A crash repeats at most ``LanePlan/window`` pushes. Repeated pushes carry the same apns-ids, by which
/// Posthorn's gateway drops them; Apple documents nothing similar.
struct LaneWorker: Sendable {
    /// The number of devices after which another waiting lane gets its turn.
    private static let turn = 4000

    let store: any DispatchStore
    let registry: Registry
    let laneRegistry: LaneRegistry
    let rates: SendRates
    let pace: SendPace
    let steps: StepSender
    let clock: any CivilClock
    let trustedTime: TrustedTime
    let apnsIDs: APNSIDCodec
    /// Receives the service's own events; nil in `posthorn serve`.
    let observer: (any JourneySink)?
    let journeyWatch: JourneyWatch
    let leases: LeaseTerm
    /// The time zone of devices that have reported none.
    let zone: TimeZone
    let metrics: ServiceMetrics
    let logger: Logger

    private enum Event: Sendable {
        /// There may be more to do in the lane.
        case wakeUp
        case leased(Lease?)
        case sent(LanePlan.Step, StepReport)
        case checkpointed(PendingCheckpoint, CheckpointResult)
        /// The task was cancelled, or the service is about to stop.
        case abandoned
    }

    /// The state of a lane's worker, including its plan.
    private struct Work {
        let lane: Lane
        /// The owner of all its leases.
        let owner: LeaseOwner
        var plan: LanePlan
        var isTrial: Bool
        var mayHaveMore = true
        var isLeasing = false
        var isWritingCheckpoint = false
        var stepsUnderWay = 0
        var devicesDone = 0
        var hasLeased = false
        var warned: Set<Trouble> = []

        var isIdle: Bool { !isLeasing && !isWritingCheckpoint && stepsUnderWay == 0 }
    }

    private enum Trouble: Hashable { case credential, connection }

    /// Works until nothing is due in the lane, its turn ends or the task is cancelled, and returns whether there was
    /// anything to do. `wakeUp` is raised when there may be more.
    func run(_ lane: Lane, isTrial: Bool, wakeUp: LocalWorkSignal) async -> Bool {
        let plan = LanePlan(lane.destination, isTrial: isTrial)
        var work = Work(lane: lane, owner: leases.owner, plan: plan, isTrial: isTrial)
        await withTaskGroup(of: Event.self) { group in
            listen(to: wakeUp, &group)
            while !Task.isCancelled {
                await begin(&work, &group)
                guard !work.isIdle, let event = await group.next() else { break }
                switch event {
                case .wakeUp:
                    work.mayHaveMore = true
                    listen(to: wakeUp, &group)
                case .leased(let lease):
                    work.isLeasing = false
                    await add(lease, &work)
                case .sent(let step, let report):
                    work.stepsUnderWay -= 1
                    finish(step, with: report, in: &work)
                case .checkpointed(let pending, let result):
                    work.isWritingCheckpoint = false
                    await apply(result, of: pending, &work)
                case .abandoned: work.mayHaveMore = false
                }
            }
            group.cancelAll()
        }
        return work.hasLeased
    }

    private func listen(to wakeUp: LocalWorkSignal, _ group: inout TaskGroup<Event>) {
        group.addTask {
            await wakeUp.wait()
            return .wakeUp
        }
    }

    /// Starts everything that can be started: steps, a checkpoint, a lease.
    private func begin(_ work: inout Work, _ group: inout TaskGroup<Event>) async {
        // A node that has joined again has lost what it had leased before.
        let isEnding = Task.isShuttingDownGracefully || !leases.mayWork || leases.owner != work.owner
        if isEnding { work.plan.releaseRest(at: clock.date) }
        while !isEnding, let next = work.plan.nextStep(without: laneRegistry.withdrawn, rates, at: clock.date) {
            guard let prepared = await steps.prepare(next, of: &work.plan) else { return }
            let step = prepared.step
            work.stepsUnderWay += 1
            group.addTask(priority: work.lane.delivery == .immediate ? .high : nil) {
                let start = metrics.start
                let began = clock.date
                // The outcome in a cancelled task says nothing about the push, which is sent again after the next start.
                guard let report = await steps.send(prepared), !Task.isCancelled else { return .abandoned }
                if step.parts.contains(where: { $0.held != nil }) {
                    guard await clock.retrying(logger, { try await steps.release(prepared, report) }) != nil else {
                        return .abandoned
                    }
                }
                pace.note(step.count, from: began, to: clock.date)
                metrics.ended(step, with: report, since: start)
                return .sent(step, report)
            }
        }
        if !work.isWritingCheckpoint, let pending = work.plan.takeCheckpoint() {
            work.isWritingCheckpoint = true
            let owner = work.owner
            group.addTask {
                let start = metrics.start
                let result = await clock.retrying(logger) {
                    try await store.checkpoint(pending.checkpoint, leases.claim(of: owner, at: clock.date))
                }
                guard let result else { return .abandoned }
                metrics.checkpointed(since: start)
                return .checkpointed(pending, result)
            }
        }
        if !isEnding, wantsMore(work) {
            work.isLeasing = true
            // The lease may not include what falls due from here on.
            work.mayHaveMore = false
            let lane = work.lane
            let owner = work.owner
            let underWay = work.plan.devices
            group.addTask { await lease(lane, for: owner, besides: underWay) }
        }
    }

    private func wantsMore(_ work: Work) -> Bool {
        guard work.mayHaveMore, !work.isLeasing, work.plan.pause == nil, work.plan.devicesLeft < LanePlan.window / 2
        else { return false }
        // After a pause, nothing more is leased until the first push was accepted.
        if work.plan.isTrial, !work.plan.isEmpty { return false }
        return work.devicesDone < Self.turn || !laneRegistry.isCrowded
    }

    private func lease(_ lane: Lane, for owner: LeaseOwner, besides underWay: [OrdinalList]) async -> Event {
        do {
            let now = clock.date
            return .leased(
                try await store.lease(
                    lane,
                    at: now,
                    leases.claim(of: owner, at: now),
                    devices: LanePlan.stepSize,
                    besides: underWay
                )
            )
        } catch {
            await clock.restDispatch(after: error, logger)
            return .leased(nil)
        }
    }

    /// Adds leased chunks to the plan.
    private func add(_ lease: Lease?, _ work: inout Work) async {
        guard let lease else { return }
        work.mayHaveMore = true
        work.hasLeased = true
        for damaged in lease.damaged {
            logger.error(
                "A stored push is damaged and was closed; the others go on. Restore a backup if there are many",
                metadata: ["push.id": "\(damaged.id.message)", "error": "\(damaged.description)"]
            )
        }
        let now = clock.date
        for item in lease.items { await add(item, at: now, &work) }
        // A pause found during the lease applies to it as well.
        if work.plan.pause != nil { work.plan.releaseRest(at: now) }
    }

    private func add(_ item: Lease.Item, at now: Date, _ work: inout Work) async {
        let (message, chunk) = item
        guard let app = await app(message.app) else {
            // The app was deleted, so no device can be reached.
            return close(item, as: .expired, at: now, &work)
        }
        // An untried chunk gets one attempt even after its expiry (time to live 0, or paced).
        let isOwedAnAttempt = chunk.isUntried && chunk.dueAt >= message.expiresAt
        guard isOwedAnAttempt || min(now, trustedTime.date) < message.expiresAt else {
            guard await clock.retrying(logger, { try await steps.release(item) }) != nil else { return }
            return close(item, as: .expired, at: now, &work)
        }
        let expiresAt =
            isOwedAnAttempt ? chunk.dueAt.addingTimeInterval(Double(message.timeToLive)) : message.expiresAt
        let content = ChunkContent(
            of: message,
            expiresAt: expiresAt,
            app: app,
            zone: zone,
            apnsIDs: apnsIDs
        ) { id, error in
            var facts: Logger.Metadata = ["push.id": "\(id)", "error": "\(error)"]
            if let origin = message.origin { facts["request.id"] = "\(origin.requestID)" }
            logger.error("A stored message cannot be read", metadata: facts)
        }
        if message.batch == nil, content.composer(at: 0) == nil {
            return close(item, as: .suppressed(.unreadable), at: now, &work)
        }
        work.plan.add(LeasedChunk(item, app: app, content: content))
    }

    /// Ends the pushes of a chunk that are not sent.
    private func close(_ item: Lease.Item, as kind: JourneyEvent.Kind, at now: Date, _ work: inout Work) {
        metrics.closed(item.chunk, as: kind)
        work.plan.close(item, as: kind, at: now)
    }

    /// Returns an app; nil if it was deleted. An app unknown to this process is read from the store.
    private func app(_ id: App.ID) async -> App? {
        if let app = registry.app(id) { return app }
        return await clock.retrying(logger) { try await registry.apps([id]) }?.first
    }

    private func finish(_ step: LanePlan.Step, with report: StepReport, in work: inout Work) {
        work.plan.finish(step, report)
        work.devicesDone += step.count
        // Pushes that waited for one of these devices can continue.
        work.mayHaveMore = true
        laneRegistry.progressed(work.lane, devices: step.count, at: report.now)
        warn(of: report, &work)
    }

    private func warn(of report: StepReport, _ work: inout Work) {
        let key = registry.app(work.lane.app).map { "\($0.key)" } ?? "\(work.lane.app)"
        let facts: Logger.Metadata = ["app.key": "\(key)", "apns.environment": "\(work.lane.environment)"]
        if let pause = report.pause {
            guard work.warned.insert(.credential).inserted else { return }
            logger.warning(
                "An app's pushes are paused: its APNs credential is missing or was refused",
                metadata: facts.merging(["apns.reason": "\(pause.detail)"]) { $1 }
            )
        } else if let trouble = report.trouble, work.warned.insert(.connection).inserted {
            logger.warning(
                "APNs gave no final answer for some pushes; they will be retried",
                metadata: facts.merging(["error": "\(trouble)"]) { $1 }
            )
        }
    }

    /// Reports the events of a checkpoint that is on disk.
    private func apply(_ result: CheckpointResult, of pending: PendingCheckpoint, _ work: inout Work) async {
        let now = clock.date
        registry.apply(result.devices)
        journeyWatch.changed(pending.checkpoint.messages)
        for (push, kind, date) in pending.events { observe(push, kind, at: date) }
        for push in work.plan.apply(result, of: pending, at: now) { observe(push, .withdrawn, at: now) }
        for (id, finding) in result.findings where finding == .lost {
            logger.notice("A lease has passed to another node", metadata: ["push.id": "\(id.message)"])
        }
        if work.isTrial, !work.plan.isTrial, work.plan.pause == nil {
            work.isTrial = false
            let lane = work.lane
            _ = await clock.retrying(logger) { try await store.resume(lane.destination) }
        }
    }

    private func observe(_ push: StepReport.Push, _ kind: JourneyEvent.Kind, at date: Date) {
        observer?.record(
            .service(kind, at: date),
            of: .push(apnsID: apnsIDs.apnsID(of: push.message, to: push.ordinal).text)
        )
    }
}

extension Chunk {
    /// Whether none of its pushes were ever handed to APNs.
    fileprivate var isUntried: Bool {
        switch (kind, problem) {
        case (.send, nil), (.retry, .quietHours): true
        default: false
        }
    }
}

/// The duration of this node's leases.
struct LeaseTerm: Sendable {
    /// The duration in seconds. No step takes longer: the wait for an answer is half a minute, at most twice.
    static let seconds: TimeInterval = 120

    /// The owner of a service that is alone. It stays the same over a restart; its leases last as long as it renews them, and expire by
    /// the clocks of the owners.
    let alone: LeaseOwner
    /// The membership of a node, with which its leases end, by the clock of the store.
    let membership: NodeMembership?

    /// The owner. That of a node changes when it has lost its membership, so that nothing it leased before can be reported.
    var owner: LeaseOwner { membership?.claim.owner ?? alone }

    /// Whether new work may be begun.
    var mayWork: Bool { membership?.mayWork ?? true }

    /// Whether the dispatcher has to renew the leases and to look for expired ones of others.
    var needsTending: Bool { membership == nil }

    /// Returns a claim that lasts from now on; nil for `owner` stands for the present one.
    func claim(of owner: LeaseOwner? = nil, at now: Date) -> LeaseClaim {
        LeaseClaim(owner: owner ?? self.owner, expiresAt: now.addingTimeInterval(Self.seconds))
    }
}

extension Checkpoint {
    /// The messages of which something is stored.
    fileprivate var messages: [MessageID] {
        chunks.map(\.id.message) + deviceEvents.map(\.message) + stepEvents.map(\.message)
    }
}
