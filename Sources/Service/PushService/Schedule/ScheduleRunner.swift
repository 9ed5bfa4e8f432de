import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Sends pushes when their schedules say so.
///
/// A push whose service was down at its time is sent when the service is back, if that is not later than
/// ``ScheduleRules/catchUp``. What is later is missed: a single schedule notes so, a periodical one goes on with its next
/// time. Of several that a periodical schedule has missed the latest alone is sent. All of this is our choice.
package struct ScheduleRunner: Service {
    let store: any PushStore
    let registry: Registry
    let acceptor: PushAcceptor
    let rules: ScheduleRules
    let clock: any CivilClock
    let signal: any WorkSignal
    let logger: Logger

    /// A person may set the machine's clock, which the sleeper does not hear.
    private static let longestSleep: TimeInterval = 3600

    /// Works until graceful shutdown; a firing that has begun is finished.
    package func run() async throws {
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    if let record = try await store.dueSchedule(at: clock.date) {
                        try await fire(record)
                    } else {
                        await wait(until: try await store.nextScheduleDue())
                    }
                } catch {
                    await rest(after: error)
                }
            }
        } onGracefulShutdown: {
            signal.raise()
        }
    }

    private func fire(_ record: ScheduleRecord) async throws {
        guard let due = record.dueAt else { return }
        let now = clock.date
        // It may have ended between the push and the note.
        if let result = try await store.result(ofCID: Self.key(record, due), app: record.app, since: .distantPast) {
            let firing = ScheduleFiring(dueAt: due, at: now, messageID: result.messageID)
            return try await store.moveOn(record, firing: firing, to: next(record, after: due))
        }
        guard record.schedule.isEnabled else {
            return try await store.moveOn(record, firing: nil, to: next(record, after: now))
        }
        let latest = record.schedule.trigger.last(from: due, to: now, in: rules.zone)
        if now.timeIntervalSince(latest) <= rules.catchUp {
            let firing = try await push(record, latest)
            try await store.moveOn(record, firing: firing, to: next(record, after: latest))
        } else {
            let firing = record.schedule.trigger.isSingle ? Self.missed(due, at: now) : nil
            try await store.moveOn(record, firing: firing, to: next(record, after: now))
        }
    }

    private func next(_ record: ScheduleRecord, after date: Date) -> Date? {
        record.schedule.trigger.next(after: date, in: rules.zone)
    }

    private func push(_ record: ScheduleRecord, _ due: Date) async throws -> ScheduleFiring {
        do {
            guard let app = registry.app(record.app) else { throw JPushError.unauthorized }
            let result = try await acceptor.accept(record.schedule.push.bytes, for: app, key: Self.key(record, due))
            return ScheduleFiring(dueAt: due, at: clock.date, messageID: result.messageID)
        } catch let error as JPushError {
            return ScheduleFiring(dueAt: due, at: clock.date, messageID: error.messageID, error: error)
        }
    }

    private static func missed(_ due: Date, at now: Date) -> ScheduleFiring {
        let seconds = Int(now.timeIntervalSince(due))
        let message = "The service did not run when this push was due; it came back \(seconds) seconds later."
        return ScheduleFiring(dueAt: due, at: now, messageID: nil, error: .scheduleMissed(message))
    }

    /// Names the firing among the app's cids; none that a caller may use looks like this.
    private static func key(_ record: ScheduleRecord, _ due: Date) -> String {
        "schedule \(record.id.uuidString.lowercased()) \(Int64(due.timeIntervalSince1970 * 1000))"
    }

    /// A full disk, for example: what is due is still there.
    private func rest(after error: any Error) async {
        guard !(error is CancellationError) else { return }
        logger.error("Schedules wait for a second", metadata: ["error": "\(error)"])
        // Cancelled means shutdown: nothing to wait for.
        try? await clock.sleep(for: .seconds(1))
    }

    private func wait(until due: Date?) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.wait() }
            if let due {
                let wakeUp = min(due, clock.date.addingTimeInterval(Self.longestSleep))
                // Cancelled as soon as a schedule has changed: nothing is lost by waking early.
                group.addTask { try? await clock.sleep(until: wakeUp) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
