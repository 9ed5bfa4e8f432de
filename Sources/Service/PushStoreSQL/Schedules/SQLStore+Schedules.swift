package import Foundation
import PushModel
package import PushService

extension SQLStore {
    package func createSchedule(
        _ record: ScheduleRecord,
        cid: ScheduleCID?,
        limit: Int
    ) async throws -> ScheduleCreation {
        try await change { session in
            // The limit and the cid hold for all nodes.
            try session.lock(record.lock)
            if let cid {
                let first = try session.first(
                    "SELECT schedule, name FROM scheduleCID WHERE app = \(record.app) AND cid = \(cid.text) AND usedAt >= \(cid.since)"
                ) { (id: try UUID(stored: $0.text(0), column: "schedule"), name: $0.text(1)) }
                if let first { return .repeated(id: first.id, name: first.name) }
            }
            let live = try session.number(
                "SELECT count(*) FROM schedule WHERE app = \(record.app) AND dueAt IS NOT NULL"
            )
            guard live < limit else { return .tooMany }
            if let cid {
                try session.queue(
                    """
                    INSERT INTO scheduleCID (app, cid, schedule, name, usedAt) VALUES (\(record.app), \(cid.text),
                        \(record.id.stored), \(record.schedule.name), \(record.createdAt))
                    ON CONFLICT (app, cid)
                    DO UPDATE SET schedule = excluded.schedule, name = excluded.name, usedAt = excluded.usedAt
                    """
                )
            }
            try session.insert(record)
            return .created
        } unlessAnswered: { session in
            try session.lock(record.lock)
            return try session.schedule(record.id, of: record.app) != nil
        }
    }

    package func schedules(
        of app: App.ID,
        offset: Int,
        limit: Int
    ) async throws -> (total: Int, page: [ScheduleRecord]) {
        try await query { [self] session in
            let total = try session.number("SELECT count(*) FROM schedule WHERE app = \(app) AND dueAt IS NOT NULL")
            let page = try session.rows(
                """
                SELECT \(raw: ScheduleRecord.columns) FROM schedule WHERE app = \(app) AND dueAt IS NOT NULL
                ORDER BY number LIMIT \(limit) OFFSET \(offset)
                """
            ) { try readable($0, named: "schedule \($0.int64(9))", ScheduleRecord.init) }
            return (Int(total), page.compactMap(\.self))
        }
    }

    package func schedule(_ id: UUID, of app: App.ID) async throws -> ScheduleRecord? {
        try await queryOnce { try $0.schedule(id, of: app) }
    }

    package func updateSchedule(
        _ id: UUID,
        of app: App.ID,
        _ change: @escaping @Sendable (inout ScheduleRecord) throws -> Void
    ) async throws -> ScheduleRecord? {
        try await self.change { session in
            let found = try session.schedule(id, of: app, lock: session.dialect.locking())
            guard var record = found else { return nil }
            try change(&record)
            record.version += 1
            try session.execute(
                """
                UPDATE schedule SET name = \(record.schedule.name), isEnabled = \(record.schedule.isEnabled), trigger
                    = \(record.schedule.triggerJSON.text), push = \(record.schedule.push.bytes), dueAt =
                    \(record.dueAt), version = \(record.version)
                WHERE id = \(id.stored) AND app = \(app)
                """
            )
            return record
        }
    }

    package func deleteSchedule(_ id: UUID, of app: App.ID) async throws -> Bool {
        try await change { session in
            let deleted = try session.execute("DELETE FROM schedule WHERE id = \(id.stored) AND app = \(app)")
            guard deleted > 0 else { return false }
            try session.queue("DELETE FROM scheduleFiring WHERE schedule = \(id.stored)")
            return true
        }
    }

    package func firings(of id: UUID) async throws -> [ScheduleFiring] {
        try await records("FROM scheduleFiring WHERE schedule = \(id.stored) ORDER BY dueAt")
    }

    package func nextScheduleDue() async throws -> Date? {
        try await first("SELECT min(dueAt) FROM schedule WHERE dueAt IS NOT NULL") { $0.optionalDate(0) } ?? nil
    }

    package func dueSchedules(at now: Date, limit: Int) async throws -> [ScheduleRecord] {
        while true {
            let found = try await rows(
                """
                SELECT \(raw: ScheduleRecord.columns) FROM schedule WHERE dueAt <= \(now)
                ORDER BY dueAt, number LIMIT \(limit)
                """
            ) { row in
                do { return DueSchedule.record(try ScheduleRecord(row)) } catch let error as CorruptRow {
                    return DueSchedule.damaged(row.int64(9), row.text(0), dueAt: row.int64(7), error)
                }
            }
            var records: [ScheduleRecord] = []
            for one in found {
                switch one {
                case .record(let record): records.append(record)
                case .damaged(let number, let id, let dueAt, let error):
                    reportDamage("schedule \(number)", error)
                    try await end(number, id, dueAt: dueAt, at: now)
                }
            }
            if !records.isEmpty || found.isEmpty { return records }
        }
    }

    /// Ends an unreadable schedule and records this among its firings; otherwise it would be due forever and block all others.
    private func end(_ number: Int64, _ id: String, dueAt: Int64, at now: Date) async throws {
        let problem = JPushError.scheduleInternal
        try await change { session in
            try session.queue(
                """
                INSERT INTO scheduleFiring (schedule, dueAt, at, errorStatus, errorCode, errorText)
                VALUES (\(id), \(dueAt), \(now), \(problem.status), \(problem.code),
                    'The schedule is damaged and cannot be read; create it anew.')
                ON CONFLICT (schedule, dueAt) DO UPDATE SET at = excluded.at, message = NULL,
                    errorStatus = excluded.errorStatus, errorCode = excluded.errorCode, errorText = excluded.errorText
                """
            )
            try session.queue("UPDATE schedule SET dueAt = NULL WHERE number = \(number) AND dueAt = \(dueAt)")
        }
    }

    package func moveOn(_ steps: [ScheduleStep]) async throws {
        guard !steps.isEmpty else { return }
        let steps = steps.sorted { $0.record.id.stored < $1.record.id.stored }
        try await change { session in for step in steps { try session.moveOn(step) } }
    }
}

extension SQLSession {
    fileprivate func insert(_ record: ScheduleRecord) throws {
        try execute(
            """
            INSERT INTO schedule (id, app, name, isEnabled, trigger, push, createdAt, dueAt, endedAt, version)
            VALUES (\(record.id.stored), \(record.app), \(record.schedule.name), \(record.schedule.isEnabled),
                \(record.schedule.triggerJSON.text), \(record.schedule.push.bytes), \(record.createdAt),
                \(record.dueAt), \(record.dueAt == nil ? record.createdAt : nil), \(record.version))
            """
        )
    }

    /// Returns a schedule, with `lock` behind the query.
    fileprivate func schedule(_ id: UUID, of app: App.ID, lock: String = "") throws -> ScheduleRecord? {
        try record("FROM schedule WHERE id = \(id.stored) AND app = \(app) \(raw: lock)")
    }

    fileprivate func moveOn(_ step: ScheduleStep) throws {
        let key: SQLStatement = "id = \(step.record.id.stored) AND app = \(step.record.app)"
        if let firing = step.firing {
            // A schedule deleted meanwhile leaves no firing.
            try queue(
                """
                INSERT INTO scheduleFiring (schedule, dueAt, at, message, errorStatus, errorCode, errorText)
                SELECT id, \(firing.dueAt), \(firing.at), \(firing.messageID?.number), \(firing.error?.status),
                    \(firing.error?.code), \(firing.error?.message) FROM schedule WHERE \(key)
                ON CONFLICT (schedule, dueAt) DO UPDATE SET at = excluded.at, message = excluded.message,
                    errorStatus = excluded.errorStatus, errorCode = excluded.errorCode, errorText = excluded.errorText
                """
            )
        }
        // A schedule ends with its last firing, or with its creation if there was none.
        try queue(
            """
            UPDATE schedule SET dueAt = \(step.next), endedAt = CASE WHEN \(step.next) IS NULL
                THEN \(raw: dialect.greatest)(createdAt, coalesce(
                    (SELECT max(at) FROM scheduleFiring WHERE schedule = schedule.id), createdAt)) END
            WHERE \(key) AND version = \(step.record.version)
            """
        )
    }
}

private enum DueSchedule: Sendable {
    case record(ScheduleRecord)
    case damaged(Int64, String, dueAt: Int64, CorruptRow)
}

extension ScheduleRecord: SQLRecord {
    /// The lock of the schedules of its app.
    fileprivate var lock: SQLLock { .number(0x7363 << 32 | Int64(app)) }

    /// They end with the schedule's number.
    package static let columns = "id, app, name, isEnabled, trigger, push, createdAt, dueAt, version, number"

    package init(_ row: any SQLRow) throws {
        let trigger = row.text(4)
        let schedule: Schedule
        do {
            schedule = try Schedule(
                name: row.text(2),
                isEnabled: row.bool(3),
                triggerJSON: JSONValue(parsing: trigger),
                push: JSONValue(parsing: row.bytes(5))
            )
        } catch { throw CorruptRow(table: "schedule", column: "trigger", found: trigger) }
        self.init(
            id: try UUID(stored: row.text(0), column: "id"),
            app: row.app(1),
            schedule: schedule,
            createdAt: row.date(6),
            dueAt: row.optionalDate(7),
            version: row.int64(8)
        )
    }
}

extension ScheduleFiring: SQLRecord {
    package static let columns = "dueAt, at, message, errorStatus, errorCode, errorText"

    package init(_ row: any SQLRow) {
        self.init(
            dueAt: row.date(0),
            at: row.date(1),
            messageID: row.optionalInt64(2).map { MessageID($0) },
            error: row.optionalInt(4).map { JPushError(status: row.int(3), code: $0, message: row.text(5)) }
        )
    }
}
