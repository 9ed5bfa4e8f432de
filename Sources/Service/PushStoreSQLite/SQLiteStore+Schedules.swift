package import Foundation
import GRDB
import PushModel
package import PushService

extension SQLiteStore {
    package func createSchedule(
        _ record: ScheduleRecord,
        cid: ScheduleCID?,
        limit: Int
    ) async throws -> ScheduleCreation {
        try await writes.write { database in
            if let cid {
                let first = try Row.fetchOne(
                    database,
                    sql: "SELECT schedule, name FROM scheduleCID WHERE app = ? AND cid = ? AND usedAt >= ?",
                    arguments: [record.app, cid.text, cid.since.milliseconds]
                )
                if let first {
                    return .repeated(id: try UUID(stored: first["schedule"], column: "schedule"), name: first["name"])
                }
            }
            let live = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM schedule WHERE app = ? AND dueAt IS NOT NULL",
                arguments: [record.app]
            )
            guard live ?? 0 < limit else { return .tooMany }
            if let cid {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO scheduleCID (app, cid, schedule, name, usedAt) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        record.app, cid.text, record.id.stored, record.schedule.name, record.createdAt.milliseconds,
                    ]
                )
            }
            try database.execute(
                sql: """
                    INSERT INTO schedule (id, app, name, isEnabled, trigger, push, createdAt, dueAt, endedAt, version)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    record.id.stored, record.app, record.schedule.name, record.schedule.isEnabled,
                    record.schedule.triggerJSON.text, Data(record.schedule.push.bytes), record.createdAt.milliseconds,
                    record.dueAt?.milliseconds, record.dueAt == nil ? record.createdAt.milliseconds : nil,
                    record.version,
                ]
            )
            return .created
        }
    }

    package func schedules(
        of app: App.ID,
        offset: Int,
        limit: Int
    ) async throws -> (total: Int, page: [ScheduleRecord]) {
        try await read { [damage] database in
            let total = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM schedule WHERE app = ? AND dueAt IS NOT NULL",
                arguments: [app]
            )
            let rows = try Row.fetchAll(
                database,
                sql:
                    "SELECT \(ScheduleRecord.columns) FROM schedule WHERE app = ? AND dueAt IS NOT NULL ORDER BY number LIMIT ? OFFSET ?",
                arguments: [app, limit, offset]
            )
            let page = try rows.compactMap { row in
                try damage.readable("schedule \(row["number"] as Int64)") { try ScheduleRecord(row: row) }
            }
            return (total ?? 0, page)
        }
    }

    package func schedule(_ id: UUID, of app: App.ID) async throws -> ScheduleRecord? {
        try await read { try Self.schedule(id, of: app, in: $0) }
    }

    private static func schedule(_ id: UUID, of app: App.ID, in database: Database) throws -> ScheduleRecord? {
        try Row.fetchOne(
            database,
            sql: "SELECT \(ScheduleRecord.columns) FROM schedule WHERE id = ? AND app = ?",
            arguments: [id.stored, app]
        ).map(ScheduleRecord.init(row:))
    }

    package func updateSchedule(
        _ id: UUID,
        of app: App.ID,
        _ change: @escaping @Sendable (inout ScheduleRecord) throws -> Void
    ) async throws -> ScheduleRecord? {
        try await writes.write { database in
            guard var record = try Self.schedule(id, of: app, in: database) else { return nil }
            try change(&record)
            record.version += 1
            try database.execute(
                sql: """
                    UPDATE schedule SET name = ?, isEnabled = ?, trigger = ?, push = ?, dueAt = ?, version = ?
                    WHERE id = ? AND app = ?
                    """,
                arguments: [
                    record.schedule.name, record.schedule.isEnabled, record.schedule.triggerJSON.text,
                    Data(record.schedule.push.bytes), record.dueAt?.milliseconds, record.version, id.stored, app,
                ]
            )
            return record
        }
    }

    package func deleteSchedule(_ id: UUID, of app: App.ID) async throws -> Bool {
        try await writes.write { database in
            try database.execute(sql: "DELETE FROM schedule WHERE id = ? AND app = ?", arguments: [id.stored, app])
            guard database.changesCount > 0 else { return false }
            try database.execute(sql: "DELETE FROM scheduleFiring WHERE schedule = ?", arguments: [id.stored])
            return true
        }
    }

    package func firings(of id: UUID) async throws -> [ScheduleFiring] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM scheduleFiring WHERE schedule = ? ORDER BY dueAt",
                arguments: [id.stored]
            ).map(ScheduleFiring.init(row:))
        }
    }

    package func dueSchedules(at now: Date, limit: Int) async throws -> [ScheduleRecord] {
        while true {
            let found = try await read { database in
                try Row.fetchAll(
                    try database.cachedStatement(sql: Self.duePage),
                    arguments: [now.milliseconds, limit]
                ).map { row in
                    do { return Due.record(try ScheduleRecord(row: row)) } catch let error as CorruptRow {
                        return Due.damaged(row["number"], row["id"], dueAt: row["dueAt"], error)
                    }
                }
            }
            var records: [ScheduleRecord] = []
            for one in found {
                switch one {
                case .record(let record): records.append(record)
                case .damaged(let number, let id, let dueAt, let error):
                    damage.note("schedule \(number)", error)
                    try await end(number, id, dueAt: dueAt, at: now)
                }
            }
            if !records.isEmpty || found.isEmpty { return records }
        }
    }

    private enum Due: Sendable {
        case record(ScheduleRecord)
        case damaged(Int64, String, dueAt: Int64, CorruptRow)
    }

    /// Ends an unreadable schedule and records this among its firings; otherwise it would be due forever and block all others.
    private func end(_ number: Int64, _ id: String, dueAt: Int64, at now: Date) async throws {
        let problem = JPushError.scheduleInternal
        try await writes.write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO scheduleFiring (schedule, dueAt, at, errorStatus, errorCode, errorText)
                    VALUES (?, ?, ?, ?, ?, 'The schedule is damaged and cannot be read; create it anew.')
                    """,
                arguments: [id, dueAt, now.milliseconds, problem.status, problem.code]
            )
            try database.execute(
                sql: "UPDATE schedule SET dueAt = NULL WHERE number = ? AND dueAt = ?",
                arguments: [number, dueAt]
            )
        }
    }

    static let duePage =
        "SELECT \(ScheduleRecord.columns) FROM schedule WHERE dueAt <= ? ORDER BY dueAt, number LIMIT ?"

    package func nextScheduleDue() async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(database, sql: "SELECT min(dueAt) FROM schedule WHERE dueAt IS NOT NULL").map {
                Date(milliseconds: $0)
            }
        }
    }

    package func results(ofFirings firings: [(key: String, app: App.ID)]) async throws -> [PushResult?] {
        guard !firings.isEmpty else { return [] }
        // The key of a firing is found only in its table.
        return try await read { database in
            try firings.map { try Self.result(inTable: $0.key, app: $0.app, since: Int64.min, in: database) }
        }
    }

    package func moveOn(_ steps: [ScheduleStep]) async throws {
        guard !steps.isEmpty else { return }
        try await writes.write { database in
            // A schedule deleted meanwhile leaves no firing.
            var notes = try StatementBinding(
                """
                INSERT OR REPLACE INTO scheduleFiring (schedule, dueAt, at, message, errorStatus, errorCode, errorText)
                SELECT id, ?3, ?4, ?5, ?6, ?7, ?8 FROM schedule WHERE id = ?1 AND app = ?2
                """,
                in: database
            )
            // A schedule ends with its last firing, or with its creation if there was none.
            var moves = try StatementBinding(
                """
                UPDATE schedule SET dueAt = ?1, endedAt = CASE WHEN ?1 IS NULL THEN max(createdAt, coalesce(
                    (SELECT max(at) FROM scheduleFiring WHERE schedule = schedule.id), createdAt)) END
                WHERE id = ?2 AND app = ?3 AND version = ?4
                """,
                in: database
            )
            for step in steps {
                let (id, app) = (step.record.id.stored, Int64(step.record.app))
                if let firing = step.firing {
                    notes.bind(id)
                    notes.bind(app)
                    notes.bind(firing.dueAt.milliseconds)
                    notes.bind(firing.at.milliseconds)
                    notes.bind(firing.messageID?.number)
                    notes.bind(firing.error.map { Int64($0.status) })
                    notes.bind(firing.error.map { Int64($0.code) })
                    notes.bind(firing.error?.message)
                    try notes.execute(in: database)
                }
                moves.bind(step.next?.milliseconds)
                moves.bind(id)
                moves.bind(app)
                moves.bind(Int64(step.record.version))
                try moves.execute(in: database)
            }
        }
    }
}
