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
                    INSERT INTO schedule (id, app, name, isEnabled, trigger, push, createdAt, dueAt, version)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    record.id.stored, record.app, record.schedule.name, record.schedule.isEnabled,
                    record.schedule.triggerJSON.text, Data(record.schedule.push.bytes), record.createdAt.milliseconds,
                    record.dueAt?.milliseconds, record.version,
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
        try await database.read { database in
            let total = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM schedule WHERE app = ? AND dueAt IS NOT NULL",
                arguments: [app]
            )
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM schedule WHERE app = ? AND dueAt IS NOT NULL ORDER BY number LIMIT ? OFFSET ?",
                arguments: [app, limit, offset]
            )
            return (total ?? 0, try rows.map(ScheduleRecord.init(row:)))
        }
    }

    package func schedule(_ id: UUID, of app: App.ID) async throws -> ScheduleRecord? {
        try await database.read { try Self.schedule(id, of: app, in: $0) }
    }

    private static func schedule(_ id: UUID, of app: App.ID, in database: Database) throws -> ScheduleRecord? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM schedule WHERE id = ? AND app = ?",
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
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM scheduleFiring WHERE schedule = ? ORDER BY dueAt",
                arguments: [id.stored]
            ).map(ScheduleFiring.init(row:))
        }
    }

    package func dueSchedule(at now: Date) async throws -> ScheduleRecord? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM schedule WHERE dueAt <= ? ORDER BY dueAt, number LIMIT 1",
                arguments: [now.milliseconds]
            ).map(ScheduleRecord.init(row:))
        }
    }

    package func nextScheduleDue() async throws -> Date? {
        try await database.read { database in
            try Int64.fetchOne(database, sql: "SELECT min(dueAt) FROM schedule WHERE dueAt IS NOT NULL").map {
                Date(milliseconds: $0)
            }
        }
    }

    package func moveOn(_ record: ScheduleRecord, firing: ScheduleFiring?, to next: Date?) async throws {
        try await writes.write { database in
            guard try Self.schedule(record.id, of: record.app, in: database) != nil else { return }
            if let firing {
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO scheduleFiring
                            (schedule, dueAt, at, message, errorStatus, errorCode, errorText)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        record.id.stored, firing.dueAt.milliseconds, firing.at.milliseconds, firing.messageID?.number,
                        firing.error?.status, firing.error?.code, firing.error?.message,
                    ]
                )
            }
            try database.execute(
                sql: "UPDATE schedule SET dueAt = ? WHERE id = ? AND version = ?",
                arguments: [next?.milliseconds, record.id.stored, record.version]
            )
        }
    }
}
