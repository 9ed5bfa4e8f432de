import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Sends what waits in a lane until nothing is due any more or it is another lane's turn.
///
/// Several steps are under way at one time: while the outcomes of one come back the next is on the wire, and what came of those
/// before goes to disk. A crash repeats no more than ``LanePlan/window`` pushes. Repeated pushes carry the same apns-ids, by which
/// Posthorn's gateway drops them; Apple documents no such thing.
struct LaneWorker: Sendable {
    /// Devices after which another lane that waits has its turn.
    private static let turn = 4000

    let store: any PushStore
    let registry: Registry
    let laneRegistry: LaneRegistry
    let rates: SendRates
    let steps: StepSender
    let clock: any CivilClock
    let time: TrustedTime
    let apnsIDs: APNsIDCodec
    let observer: (any JourneySink)?
    let leases: LeaseTerm
    /// Of devices that have told none.
    let zone: TimeZone
    let logger: Logger

    private enum Event: Sendable {
        /// There may be more to do in the lane.
        case news
        case leased(Lease?)
        case sent(LanePlan.Step, StepReport)
        case kept(PendingCheckpoint, CheckpointResult)
        /// The task was cancelled, or the service is about to end.
        case abandoned
    }

    /// What the worker of a lane knows beside its plan.
    private struct Work {
        let lane: Lane
        var plan: LanePlan
        var isTrial: Bool
        var mayHaveMore = true
        var isLeasing = false
        var isKeeping = false
        var stepsUnderWay = 0
        var devicesDone = 0
        var told: Set<Trouble> = []

        var isIdle: Bool { !isLeasing && !isKeeping && stepsUnderWay == 0 }
    }

    private enum Trouble: Hashable { case credential, connection }

    /// * `news`: raised when there may be more to do in the lane.
    func run(_ lane: Lane, isTrial: Bool, news: LocalWorkSignal) async {
        var work = Work(lane: lane, plan: LanePlan(lane.destination, isTrial: isTrial), isTrial: isTrial)
        await withTaskGroup(of: Event.self) { group in
            listen(to: news, &group)
            while !Task.isCancelled {
                await begin(&work, &group)
                guard !work.isIdle, let event = await group.next() else { break }
                switch event {
                case .news:
                    work.mayHaveMore = true
                    listen(to: news, &group)
                case .leased(let lease):
                    work.isLeasing = false
                    await take(lease, &work)
                case .sent(let step, let report):
                    work.stepsUnderWay -= 1
                    finish(step, report, &work)
                case .kept(let pending, let result):
                    work.isKeeping = false
                    await take(result, of: pending, &work)
                case .abandoned: work.mayHaveMore = false
                }
            }
            group.cancelAll()
        }
    }

    private func listen(to news: LocalWorkSignal, _ group: inout TaskGroup<Event>) {
        group.addTask {
            await news.wait()
            return .news
        }
    }

    /// Begins everything that can be begun.
    private func begin(_ work: inout Work, _ group: inout TaskGroup<Event>) async {
        let isEnding = Task.isShuttingDownGracefully
        if isEnding { work.plan.giveUp(at: clock.date) }
        while !isEnding, let step = work.plan.nextStep(without: laneRegistry.withdrawn, rates, at: clock.date) {
            guard await keep({ try await steps.prepareBadges(of: step) }) != nil else { return }
            work.plan.prepared(step)
            work.stepsUnderWay += 1
            group.addTask(priority: work.lane.delivery == .immediate ? .high : nil) {
                let report = await steps.send(step)
                // What a cancelled task is told says nothing of the push: it goes out again after the next start.
                return Task.isCancelled ? .abandoned : .sent(step, report)
            }
        }
        if !work.isKeeping, let pending = work.plan.takeCheckpoint() {
            work.isKeeping = true
            group.addTask {
                let result = await keep { try await store.checkpoint(pending.checkpoint, leases.claim(at: clock.date)) }
                return result.map { .kept(pending, $0) } ?? .abandoned
            }
        }
        if !isEnding, wantsMore(work) {
            work.isLeasing = true
            // What falls due from here on may not be in it.
            work.mayHaveMore = false
            let (lane, underWay) = (work.lane, work.plan.devices)
            group.addTask { await lease(lane, besides: underWay) }
        }
    }

    private func wantsMore(_ work: Work) -> Bool {
        guard work.mayHaveMore, !work.isLeasing, work.plan.pause == nil,
            work.plan.devicesLeft < LanePlan.window / 2
        else { return false }
        // After a pause nothing more is taken up until the first push was accepted.
        if work.plan.isTrial, !work.plan.isEmpty { return false }
        return work.devicesDone < Self.turn || !laneRegistry.isCrowded
    }

    private func lease(_ lane: Lane, besides underWay: [OrdinalList]) async -> Event {
        do {
            let now = clock.date
            return .leased(
                try await store.lease(
                    lane,
                    at: now,
                    leases.claim(at: now),
                    devices: LanePlan.stepSize,
                    besides: underWay
                )
            )
        } catch {
            await rest(after: error)
            return .leased(nil)
        }
    }

    /// Takes up what was leased.
    private func take(_ lease: Lease?, _ work: inout Work) async {
        guard let lease else { return }
        work.mayHaveMore = true
        for damaged in lease.damaged {
            logger.error(
                "A stored push is damaged and was closed; the others go on. Restore a backup if there are many",
                metadata: ["push.id": "\(damaged.id.message)", "error": "\(damaged.description)"]
            )
        }
        let now = clock.date
        for item in lease.items { await take(item, at: now, &work) }
        // A pause that was found while the lease was on its way holds for it too.
        if work.plan.pause != nil { work.plan.giveUp(at: now) }
    }

    private func take(_ item: Lease.Item, at now: Date, _ work: inout Work) async {
        let (message, chunk) = item
        guard let app = await app(message.app) else {
            // It was deleted: nobody can be reached.
            return work.plan.close(item, as: .expired, at: now)
        }
        // What was never tried has one attempt, also when its time is over (time to live 0, or paced).
        let isOwedAnAttempt = chunk.isUntried && chunk.dueAt >= message.expiresAt
        guard isOwedAnAttempt || min(now, time.date) < message.expiresAt else {
            return work.plan.close(item, as: .expired, at: now)
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
            logger.error("A stored message cannot be read", metadata: ["push.id": "\(id)", "error": "\(error)"])
        }
        if message.batch == nil, content.composer(at: 0) == nil {
            return work.plan.close(item, as: .suppressed(.badPayload), at: now)
        }
        work.plan.add(ChunkUnderWay(item, app: app, content: content))
    }

    /// The app of a push; nil if it was deleted. One that this process has not heard of is read from the store.
    private func app(_ id: App.ID) async -> App? {
        if let app = registry.app(id) { return app }
        return await keep { try await registry.apps([id]) }?.first
    }

    private func finish(_ step: LanePlan.Step, _ report: StepReport, _ work: inout Work) {
        work.plan.finish(step, report)
        work.devicesDone += step.count
        // What had to wait for one of these devices can go on.
        work.mayHaveMore = true
        laneRegistry.progressed(work.lane, devices: step.count, at: report.now)
        warn(of: report, &work)
    }

    private func warn(of report: StepReport, _ work: inout Work) {
        let key = registry.app(work.lane.app).map { "\($0.key)" } ?? "\(work.lane.app)"
        let facts: Logger.Metadata = ["app.key": "\(key)", "apns.environment": "\(work.lane.environment)"]
        if let pause = report.pause {
            guard work.told.insert(.credential).inserted else { return }
            logger.warning(
                "An app's pushes wait: its APNs credential is missing or refused",
                metadata: facts.merging(["apns.reason": "\(pause.detail)"]) { $1 }
            )
        } else if let trouble = report.trouble, work.told.insert(.connection).inserted {
            logger.warning(
                "APNs has not decided about some pushes; they are tried again",
                metadata: facts.merging(["error": "\(trouble)"]) { $1 }
            )
        }
    }

    /// A checkpoint is on disk: from here on it can be told.
    private func take(_ result: CheckpointResult, of pending: PendingCheckpoint, _ work: inout Work) async {
        let now = clock.date
        registry.apply(result.devices)
        for (push, kind, date) in pending.events { observe(push, kind, at: date) }
        for push in work.plan.take(result, of: pending, at: now) { observe(push, .withdrawn, at: now) }
        for (id, finding) in result.findings where finding == .lost {
            logger.notice("A lease has passed to another node", metadata: ["push.id": "\(id.message)"])
        }
        if work.isTrial, !work.plan.isTrial, work.plan.pause == nil {
            work.isTrial = false
            let lane = work.lane
            _ = await keep { try await store.resume(lane.app, lane.environment) }
        }
    }

    private func observe(_ push: StepReport.Push, _ kind: JourneyEvent.Kind, at date: Date) {
        observer?.record(
            JourneyEvent(date: date, station: .service, kind: kind),
            of: .push(apnsID: apnsIDs.apnsID(of: push.message, to: push.ordinal))
        )
    }

    /// Does what the store has to take in, again and again until it does; nil when the task was cancelled.
    private func keep<Value: Sendable>(_ work: () async throws -> Value) async -> Value? {
        while !Task.isCancelled {
            do { return try await work() } catch { await rest(after: error) }
        }
        return nil
    }

    private func rest(after error: any Error) async {
        await clock.rest(after: error, "Dispatch failed and goes on in a second", logger)
    }
}

extension Chunk {
    /// Whether nothing of it was ever handed to APNs.
    fileprivate var isUntried: Bool {
        switch (kind, problem) {
        case (.send, nil), (.retry, .quietHours): true
        default: false
        }
    }
}

/// For how long this node leases.
struct LeaseTerm: Sendable {
    /// Longer than any step takes: an answer is awaited for half a minute, twice at most.
    static let seconds: TimeInterval = 120

    let owner: LeaseOwner

    func claim(at now: Date) -> LeaseClaim {
        LeaseClaim(owner: owner, expiresAt: now.addingTimeInterval(Self.seconds))
    }
}
