package import Foundation
import PostgresClient
import PushModel
package import PushService

extension PostgresStore {
    package func createSchedule(
        _ record: ScheduleRecord,
        cid: ScheduleCID?,
        limit: Int
    ) async throws -> ScheduleCreation {
        try await write { session in
            let connection = session.connection
            // The limit and the cid hold for all nodes.
            Self.lockSchedules(of: record.app, in: connection)
            if let cid {
                let first = try connection.execute(
                    "SELECT schedule, name FROM scheduleCID WHERE app = $1 AND cid = $2 AND usedAt >= $3",
                    .app(record.app),
                    .text(cid.text),
                    .date(cid.since)
                ).first
                if let first {
                    return .repeated(id: try UUID(stored: first.text(0), column: "schedule"), name: first.text(1))
                }
            }
            let live = try connection.execute(
                "SELECT count(*) FROM schedule WHERE app = $1 AND dueAt IS NOT NULL",
                .app(record.app)
            )
            guard live.first?.int(0) ?? 0 < limit else { return .tooMany }
            if let cid {
                try connection.execute(
                    """
                    INSERT INTO scheduleCID (app, cid, schedule, name, usedAt) VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (app, cid)
                    DO UPDATE SET schedule = excluded.schedule, name = excluded.name, usedAt = excluded.usedAt
                    """,
                    .app(record.app),
                    .text(cid.text),
                    .text(record.id.stored),
                    .text(record.schedule.name),
                    .date(record.createdAt)
                )
            }
            try connection.execute(
                """
                INSERT INTO schedule (id, app, name, isEnabled, trigger, push, createdAt, dueAt, endedAt, version)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                """,
                .text(record.id.stored),
                .app(record.app),
                .text(record.schedule.name),
                .bool(record.schedule.isEnabled),
                .text(record.schedule.triggerJSON.text),
                .bytes(record.schedule.push.bytes),
                .date(record.createdAt),
                .int64(record.dueAt?.milliseconds),
                .int64(record.dueAt == nil ? record.createdAt.milliseconds : nil),
                .int64(record.version)
            )
            return .created
        } unlessAnswered: { connection in
            Self.lockSchedules(of: record.app, in: connection)
            return try Self.schedule(record.id, of: record.app, in: connection) != nil
        }
    }

    /// Distinguishes the advisory locks of apps' schedules from others.
    private static let scheduleLocks: Int64 = 0x7363 << 32

    /// Takes the lock of an app's schedules until the transaction ends, before the next statement.
    private static func lockSchedules(of app: App.ID, in connection: PostgresConnection) {
        connection.queue("SELECT pg_advisory_xact_lock($1)", .int64(scheduleLocks | Int64(app)))
    }

    package func schedules(
        of app: App.ID,
        offset: Int,
        limit: Int
    ) async throws -> (total: Int, page: [ScheduleRecord]) {
        let damaged = damaged
        return try await read { connection in
            let total = try connection.execute(
                "SELECT count(*) FROM schedule WHERE app = $1 AND dueAt IS NOT NULL",
                .app(app)
            )
            let rows = try connection.execute(
                """
                SELECT \(ScheduleRecord.columns) FROM schedule WHERE app = $1 AND dueAt IS NOT NULL
                ORDER BY number LIMIT $2 OFFSET $3
                """,
                .app(app),
                .int64(Int64(limit)),
                .int64(Int64(offset))
            )
            let page = try rows.compactMap { row -> ScheduleRecord? in
                do { return try ScheduleRecord(row) } catch let error as CorruptRow {
                    damaged("schedule \(row.int64(9)): \(error)")
                    return nil
                }
            }
            return (total.first?.int(0) ?? 0, page)
        }
    }

    package func schedule(_ id: UUID, of app: App.ID) async throws -> ScheduleRecord? {
        try await readOnce { try Self.schedule(id, of: app, in: $0) }
    }

    /// * `lock`: what follows the query.
    private static func schedule(
        _ id: UUID,
        of app: App.ID,
        lock: String = "",
        in connection: PostgresConnection
    ) throws -> ScheduleRecord? {
        try connection.execute(
            "SELECT \(ScheduleRecord.columns) FROM schedule WHERE id = $1 AND app = $2 \(lock)",
            .text(id.stored),
            .app(app)
        ).first.map { try ScheduleRecord($0) }
    }

    package func updateSchedule(
        _ id: UUID,
        of app: App.ID,
        _ change: @escaping @Sendable (inout ScheduleRecord) throws -> Void
    ) async throws -> ScheduleRecord? {
        try await write { session in
            guard var record = try Self.schedule(id, of: app, lock: "FOR UPDATE", in: session.connection) else {
                return nil
            }
            try change(&record)
            record.version += 1
            try session.connection.execute(
                """
                UPDATE schedule SET name = $1, isEnabled = $2, trigger = $3, push = $4, dueAt = $5, version = $6
                WHERE id = $7 AND app = $8
                """,
                .text(record.schedule.name),
                .bool(record.schedule.isEnabled),
                .text(record.schedule.triggerJSON.text),
                .bytes(record.schedule.push.bytes),
                .int64(record.dueAt?.milliseconds),
                .int64(record.version),
                .text(id.stored),
                .app(app)
            )
            return record
        }
    }

    package func deleteSchedule(_ id: UUID, of app: App.ID) async throws -> Bool {
        try await write { session in
            let isGone =
                try session.connection.execute(
                    "DELETE FROM schedule WHERE id = $1 AND app = $2",
                    .text(id.stored),
                    .app(app)
                ).affected > 0
            guard isGone else { return false }
            try session.connection.execute("DELETE FROM scheduleFiring WHERE schedule = $1", .text(id.stored))
            return true
        }
    }

    package func firings(of id: UUID) async throws -> [ScheduleFiring] {
        try await readOnce { connection in
            try connection.execute(
                """
                SELECT dueAt, at, message, errorStatus, errorCode, errorText FROM scheduleFiring WHERE schedule = $1 ORDER BY dueAt
                """,
                .text(id.stored)
            ).map { ScheduleFiring($0) }
        }
    }

    package func dueSchedules(at now: Date, limit: Int) async throws -> [ScheduleRecord] {
        while true {
            let found = try await readOnce { connection in
                try connection.execute(
                    """
                    SELECT \(ScheduleRecord.columns) FROM schedule WHERE dueAt <= $1 ORDER BY dueAt, number LIMIT $2
                    """,
                    .date(now),
                    .int64(Int64(limit))
                ).map { row in
                    do { return Due.record(try ScheduleRecord(row)) } catch let error as CorruptRow {
                        return Due.damaged(row.int64(9), row.text(0), dueAt: row.int64(7), "\(error)")
                    }
                }
            }
            var records: [ScheduleRecord] = []
            for one in found {
                switch one {
                case .record(let record): records.append(record)
                case .damaged(let number, let id, let dueAt, let error):
                    damaged("schedule \(number): \(error)")
                    try await end(number, id, dueAt: dueAt, at: now)
                }
            }
            if !records.isEmpty || found.isEmpty { return records }
        }
    }

    private enum Due: Sendable {
        case record(ScheduleRecord)
        case damaged(Int64, String, dueAt: Int64, String)
    }

    /// Ends an unreadable schedule and records this among its firings; otherwise it would be due forever and block all others.
    private func end(_ number: Int64, _ id: String, dueAt: Int64, at now: Date) async throws {
        let problem = JPushError.scheduleInternal
        try await write { session -> Void in
            try session.connection.execute(
                """
                INSERT INTO scheduleFiring (schedule, dueAt, at, errorStatus, errorCode, errorText)
                VALUES ($1, $2, $3, $4, $5, 'The schedule is damaged and cannot be read; create it anew.')
                ON CONFLICT (schedule, dueAt) DO UPDATE SET at = excluded.at, message = NULL,
                    errorStatus = excluded.errorStatus, errorCode = excluded.errorCode, errorText = excluded.errorText
                """,
                .text(id),
                .int64(dueAt),
                .date(now),
                .int64(Int64(problem.status)),
                .int64(Int64(problem.code))
            )
            try session.connection.execute(
                "UPDATE schedule SET dueAt = NULL WHERE number = $1 AND dueAt = $2",
                .int64(number),
                .int64(dueAt)
            )
        }
    }

    package func nextScheduleDue() async throws -> Date? {
        try await readOnce { connection in
            try connection.execute("SELECT min(dueAt) FROM schedule WHERE dueAt IS NOT NULL").first?.optionalInt64(0)
                .map { Date(milliseconds: $0) }
        }
    }

    package func moveOn(_ steps: [ScheduleStep]) async throws {
        guard !steps.isEmpty else { return }
        let steps = steps.sorted { $0.record.id.stored < $1.record.id.stored }
        try await write { session -> Void in
            try session.connection.pipeline { statements in
                for step in steps { Self.add(step, to: statements) }
            }
        }
    }

    private static func add(_ step: ScheduleStep, to statements: StatementList) {
        let key: [PostgresValue] = [.text(step.record.id.stored), .app(step.record.app)]
        if let firing = step.firing {
            // A schedule deleted meanwhile leaves no firing.
            statements.add(
                """
                INSERT INTO scheduleFiring (schedule, dueAt, at, message, errorStatus, errorCode, errorText)
                SELECT id, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::text
                FROM schedule WHERE id = $1 AND app = $2
                ON CONFLICT (schedule, dueAt) DO UPDATE SET at = excluded.at, message = excluded.message,
                    errorStatus = excluded.errorStatus, errorCode = excluded.errorCode, errorText = excluded.errorText
                """,
                key + [
                    .date(firing.dueAt), .date(firing.at), .int64(firing.messageID?.number),
                    .int64(firing.error.map { Int64($0.status) }), .int64(firing.error.map { Int64($0.code) }),
                    .text(firing.error?.message),
                ]
            )
        }
        // A schedule ends with its last firing, or with its creation if there was none.
        statements.add(
            """
            UPDATE schedule SET dueAt = $3::bigint, endedAt = CASE WHEN $3::bigint IS NULL THEN greatest(createdAt,
                (SELECT max(at) FROM scheduleFiring WHERE schedule = schedule.id)) END
            WHERE id = $1 AND app = $2 AND version = $4
            """,
            key + [.int64(step.next?.milliseconds), .int64(step.record.version)]
        )
    }
}

extension ScheduleRecord {
    /// The columns for ``init(_:)``, in order, and the schedule's number.
    fileprivate static let columns = "id, app, name, isEnabled, trigger, push, createdAt, dueAt, version, number"

    fileprivate init(_ row: PostgresRow) throws {
        let trigger = row.text(4)
        let schedule: Schedule
        do {
            schedule = try Schedule(
                name: row.text(2),
                isEnabled: row.bool(3),
                triggerJSON: JSONValue(parsing: trigger),
                push: JSONValue(parsing: row.bytes(5))
            )
        } catch {
            throw CorruptRow(table: "schedule", column: "trigger", found: trigger)
        }
        self.init(
            id: try UUID(stored: row.text(0), column: "id"),
            app: App.ID(truncatingIfNeeded: row.int64(1)),
            schedule: schedule,
            createdAt: row.date(6),
            dueAt: row.optionalInt64(7).map { Date(milliseconds: $0) },
            version: row.int64(8)
        )
    }
}

extension ScheduleFiring {
    /// - Parameter row: dueAt, at, message, errorStatus, errorCode and errorText, in this order.
    fileprivate init(_ row: PostgresRow) {
        self.init(
            dueAt: row.date(0),
            at: row.date(1),
            messageID: row.optionalInt64(2).map { MessageID($0) },
            error: row.optionalInt(4).map { JPushError(status: row.int(3), code: $0, message: row.text(5)) }
        )
    }
}
