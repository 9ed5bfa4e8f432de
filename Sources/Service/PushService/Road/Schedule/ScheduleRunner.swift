import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Sends the pushes of due schedules.
///
/// A push that was due while the service was down is sent when it is back, if it is not later than ``ScheduleRules/catchUp``. A
/// later push is missed: a single schedule records this, a periodical one continues with its next time. Of several missed times of
/// a periodical schedule only the latest is sent. All of this is our choice.
///
/// Schedules that are due at the same time fire in batches across apps: their pushes in one transaction, their outcomes in another.
package struct ScheduleRunner: NamedService {
    let store: any ScheduleStore
    let registry: Registry
    let acceptor: PushAcceptor
    let rules: ScheduleRules
    let clock: any CivilClock
    let trustedTime: TrustedTime
    let signal: any WorkSignal
    /// Open on the node that fires the schedules of all.
    let leader: LeaderGate
    let metrics: ServiceMetrics
    let logger: Logger

    /// The number of schedules written together.
    static let batch = 500
    /// The number of schedules read together.
    private static let page = 4 * batch
    /// The number of pushes prepared at a time: an audience may be large.
    private static let atOnce = 16
    /// The number of devices after which pushes are written without waiting for the rest of a batch.
    private static let devices = 200_000

    /// A change of the machine's clock does not wake a sleeping task; ``ClockWatch`` does so every minute.
    private static let longestSleep: TimeInterval = 3600

    /// Works until graceful shutdown; a firing that has begun is finished.
    package func run() async throws {
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    guard leader.isOpen else {
                        await wait(until: trustedTime.date.addingTimeInterval(LeaderGate.pause / .seconds(1)))
                        continue
                    }
                    let due = try await store.dueSchedules(at: trustedTime.date, limit: Self.page)
                    try await fire(due)
                    if due.isEmpty { await wait(until: try await store.nextScheduleDue()) }
                } catch {
                    await clock.rest(after: error, "Schedules could not be processed; retrying in a second", logger)
                }
            }
        } onGracefulShutdown: {
            signal.raise()
        }
    }

    private func fire(_ records: [ScheduleRecord]) async throws {
        guard !records.isEmpty else { return }
        let now = trustedTime.date
        // The service may have stopped between the push and its record.
        let keys = records.map { (key: Self.key($0, $0.dueAt ?? now), app: $0.app) }
        let results = try await store.results(ofFirings: keys)
        var rest = Array(zip(records, results))[...]
        var batch = ScheduleBatch()
        try await withThrowingTaskGroup(of: [ScheduleStep]?.self) { group in
            var isKeeping = false
            /// Waits until the pushes under way are on disk. Their schedules' outcomes are written meanwhile.
            func untilKept() async throws {
                while isKeeping, let next = try await group.next() {
                    guard let steps = next else { continue }
                    isKeeping = false
                    group.addTask {
                        try await store.moveOn(steps)
                        metrics.fired(steps)
                        return nil
                    }
                }
            }
            while !rest.isEmpty {
                let here = rest.prefix(Self.atOnce).filter { batch.admits($0.0) }
                rest = rest.dropFirst(Self.atOnce)
                for plan in try await plans(for: here, at: now) { batch.add(plan) }
                guard rest.isEmpty || batch.plans.count >= Self.batch || batch.devices >= Self.devices else { continue }
                // One batch is written while the next is prepared.
                try await untilKept()
                let ready = batch.take()
                isKeeping = true
                group.addTask { try await accept(ready, at: now) }
            }
            try await untilKept()
            try await group.waitForAll()
        }
    }

    /// Returns the plans in the order of the records.
    private func plans(for records: [(ScheduleRecord, PushResult?)], at now: Date) async throws -> [SchedulePlan] {
        try await withThrowingTaskGroup(of: (Int, SchedulePlan).self) { group in
            for (place, (record, result)) in records.enumerated() {
                group.addTask { (place, try await plan(for: record, result, at: now)) }
            }
            var plans: [(Int, SchedulePlan)] = []
            for try await plan in group { plans.append(plan) }
            return plans.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Plans the handling of a due schedule, whose firing may be under way already with a result.
    private func plan(for record: ScheduleRecord, _ result: PushResult?, at now: Date) async throws -> SchedulePlan {
        guard let due = record.dueAt else { return SchedulePlan(record, next: nil) }
        let trigger = record.schedule.trigger
        if let result {
            let firing = ScheduleFiring(dueAt: due, at: now, messageID: result.messageID)
            return SchedulePlan(record, firing, next: next(record, after: due))
        }
        guard record.schedule.isEnabled else {
            return SchedulePlan(record, next: next(record, after: now))
        }
        guard !trigger.isPerDevice else { return try await localPlan(for: record, due, at: now) }
        let (latest, next) = trigger.firings(from: due, to: now, in: rules.zone)
        guard now.timeIntervalSince(latest) <= rules.catchUp else {
            let firing = trigger.isSingle ? Self.missed(due, at: now) : nil
            return SchedulePlan(record, firing, next: next)
        }
        return try await firingPlan(for: record, latest, next: next, at: now)
    }

    private func next(_ record: ScheduleRecord, after date: Date) -> Date? {
        let trigger = record.schedule.trigger
        guard trigger.isPerDevice else { return trigger.next(after: date, in: rules.zone) }
        return registry.localSchedule(trigger, of: record.app, rules).nextDue(after: date)
    }

    /// Plans a push to the devices whose clocks show the time at `due`. If that is too late for some zones, the schedule continues
    /// with the others.
    private func localPlan(for record: ScheduleRecord, _ due: Date, at now: Date) async throws -> SchedulePlan {
        let schedule = registry.localSchedule(record.schedule.trigger, of: record.app, rules)
        let isFiring = schedule.nextFiring(after: due.addingTimeInterval(-1)) == due
        guard now.timeIntervalSince(due) <= rules.catchUp else {
            let isMissed = isFiring && record.schedule.trigger.isSingle
            let next = schedule.nextDue(after: max(due, now.addingTimeInterval(-rules.catchUp - 1)))
            let firing = isMissed ? Self.missed(due, at: now) : nil
            return SchedulePlan(record, firing, next: next)
        }
        let next = schedule.nextDue(after: due)
        guard isFiring else { return SchedulePlan(record, next: next) }
        // Although sent zone by zone, it counts as one broadcast.
        let isFirst = schedule.isFirst(due)
        var plan = try await firingPlan(for: record, due, next: next, at: now, isCounted: isFirst) {
            schedule.fires(at: due, in: $0)
        }
        // Most zones may have no devices in the audience; an empty audience in all of them is reported with the last.
        if plan.step.firing?.error?.isNoTarget == true {
            let others = try await store.firings(of: record.id)
            if schedule.nextFiring(after: due) != nil || !others.isEmpty { plan.step.firing = nil }
        }
        return plan
    }

    private func firingPlan(
        for record: ScheduleRecord,
        _ due: Date,
        next: Date?,
        at now: Date,
        isCounted: Bool = true,
        inZones isMeant: ((TimeZone?) -> Bool)? = nil
    ) async throws -> SchedulePlan {
        var plan = SchedulePlan(record, ScheduleFiring(dueAt: due, at: now, messageID: nil), next: next)
        do {
            guard let app = try await registry.apps([record.app]).first else { throw JPushError.unauthorized }
            let body = record.schedule.push.bytes
            var request = try PushRequest(parsing: body, file: .allowed)
            request.cid = Self.key(record, due)
            plan.push = try await acceptor.admit(
                request,
                body,
                for: app,
                from: .schedule(isCounted: isCounted, inZones: isMeant),
                at: now
            )
        } catch let error as JPushError {
            plan.step.firing = ScheduleFiring(dueAt: due, at: now, messageID: error.messageID, error: error)
        }
        return plan
    }

    /// Writes the pushes. The outcomes of their schedules follow; after a crash in between the pushes are found by their keys.
    private func accept(_ plans: [SchedulePlan], at now: Date) async throws -> [ScheduleStep] {
        let results = try await acceptor.write(plans.compactMap(\.push), at: now)
        var pushed = results[...]
        return plans.map { plan in
            var step = plan.step
            if plan.push != nil { step.firing?.messageID = pushed.popFirst()?.messageID }
            return step
        }
    }

    private static func missed(_ due: Date, at now: Date) -> ScheduleFiring {
        let seconds = Int(now.timeIntervalSince(due))
        let message = "The service was down when this push was due, and came back \(seconds) seconds later."
        return ScheduleFiring(dueAt: due, at: now, messageID: nil, error: .scheduleMissed(message))
    }

    /// Returns the cid that identifies a firing; callers may not use cids of this form.
    private static func key(_ record: ScheduleRecord, _ due: Date) -> String {
        "schedule \(record.id.uuidString.lowercased()) \(Int64(due.timeIntervalSince1970 * 1000))"
    }

    private func wait(until due: Date?) async {
        var due = due
        if let longest = leader.longestSleep {
            let look = trustedTime.date.addingTimeInterval(longest / .seconds(1))
            due = min(due ?? look, look)
        }
        // In this order a clock change in between makes the sleep shorter, never longer.
        let now = clock.date
        let trusted = trustedTime.date
        let rest = due.map { min(max(0, $0.timeIntervalSince(trusted)), Self.longestSleep) }
        await clock.wait(for: signal, until: rest.map { now.addingTimeInterval($0) })
    }
}

extension JPushError {
    /// Whether the audience is empty.
    fileprivate var isNoTarget: Bool { code == 1011 }
}
