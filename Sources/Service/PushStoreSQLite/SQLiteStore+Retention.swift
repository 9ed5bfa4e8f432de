package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    /// The range of message ids in one row of deleted ones.
    private static let page: Int64 = 4096

    package func agingMessages(
        after id: MessageID,
        acceptedBefore date: Date,
        limit: Int
    ) async throws -> [AgingMessage] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT message.id, coalesce(lastID, message.id) AS lastID, message.app, message.acceptedAt,
                        app.deletedAt IS NOT NULL AS isOrphan,
                        unstarted IS NOT NULL
                            OR EXISTS (SELECT 1 FROM chunk WHERE chunk.message = message.id AND isDone = 0) AS isUnderWay,
                        (SELECT max(updatedAt) FROM chunk WHERE chunk.message = message.id) AS updatedAt,
                        (SELECT max(at) FROM chunkReport
                            WHERE chunkReport.message BETWEEN message.id AND coalesce(lastID, message.id)) AS reportedAt,
                        (SELECT expiresAt FROM customMessage WHERE customMessage.message = message.id) AS waitsUntil
                    FROM message JOIN app ON app.id = message.app WHERE message.id > ? ORDER BY message.id LIMIT ?
                    """,
                arguments: [id.number, limit]
            )
            var messages: [AgingMessage] = []
            while let row = try rows.next(), row["acceptedAt"] < date.milliseconds {
                let acceptedAt: Int64 = row["acceptedAt"]
                let endedAt = max(
                    acceptedAt,
                    row["updatedAt"] ?? acceptedAt,
                    row["reportedAt"] ?? acceptedAt,
                    row["waitsUntil"] ?? acceptedAt
                )
                messages.append(
                    AgingMessage(
                        id: MessageID(row["id"]),
                        last: MessageID(row["lastID"]),
                        app: row["app"],
                        acceptedAt: Date(milliseconds: acceptedAt),
                        endedAt: row["isUnderWay"] ? nil : Date(milliseconds: endedAt),
                        isOrphan: row["isOrphan"]
                    )
                )
            }
            return messages
        }
    }

    package func markDeleted(
        _ messages: [MessageID],
        of app: App.ID,
        _ deletion: Deletion,
        at date: Date
    ) async throws {
        try await writes.write { database in
            for (page, messages) in Dictionary(grouping: messages, by: { $0.number / Self.page }) {
                var numbers = try Self.deleted(page, of: app, in: database)
                numbers.formUnion(messages.map { DeviceOrdinal($0.number % Self.page) })
                try database.execute(
                    sql: "INSERT OR REPLACE INTO deletedMessage (app, page, numbers, days, at) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        app, page, Data(OrdinalList(numbers.sorted()).packed), deletion.days, date.milliseconds,
                    ]
                )
            }
        }
    }

    private static func deleted(_ page: Int64, of app: App.ID, in database: Database) throws -> Set<DeviceOrdinal> {
        let packed = try Data.fetchOne(
            try database.cachedStatement(sql: "SELECT numbers FROM deletedMessage WHERE app = ? AND page = ?"),
            arguments: [app, page]
        )
        return Set(packed.map { OrdinalList(packed: $0).ordinals } ?? [])
    }

    package func deleteMessage(_ id: MessageID, rows: Int) async throws -> Bool {
        try await writes.write { database in
            var left = rows
            let last =
                try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT lastID FROM message WHERE id = ? AND lastID IS NOT NULL"),
                    arguments: [id.number]
                ) ?? id.number
            func delete(_ sql: String) throws {
                guard left > 0 else { return }
                try database.cachedStatement(sql: sql).execute(arguments: [id.number, last, left])
                left -= database.changesCount
            }
            try delete(
                """
                DELETE FROM journeyEvent WHERE rowid IN (
                    SELECT rowid FROM journeyEvent WHERE message BETWEEN ? AND ? LIMIT ?
                )
                """
            )
            try delete(
                """
                DELETE FROM stepEvent WHERE rowid IN (
                    SELECT rowid FROM stepEvent WHERE message BETWEEN ? AND ? LIMIT ?
                )
                """
            )
            for table in ["chunkReport", "chunk"] {
                try delete(
                    """
                    DELETE FROM \(table) WHERE (message, number) IN (
                        SELECT message, number FROM \(table) WHERE message BETWEEN ? AND ? LIMIT ?
                    )
                    """
                )
            }
            guard left > 0 else { return false }
            try database.execute(sql: "DELETE FROM batch WHERE first = ?", arguments: [id.number])
            try database.execute(sql: "DELETE FROM customMessage WHERE message = ?", arguments: [id.number])
            try Self.deleteCallbackEvents(of: id, in: database)
            let receiver = try Int64.fetchOne(
                database,
                sql: "SELECT receiver FROM callback WHERE message = ?",
                arguments: [id.number]
            )
            try database.execute(sql: "DELETE FROM callback WHERE message = ?", arguments: [id.number])
            if let receiver { try CallbackNotes.removeReceiver(receiver, in: database) }
            try database.execute(sql: "DELETE FROM voipPush WHERE message = ?1 OR voip = ?1", arguments: [id.number])
            try database.execute(sql: "DELETE FROM message WHERE id = ?", arguments: [id.number])
            return true
        }
    }

    package func deletion(of message: MessageID, app: App.ID) async throws -> Deletion? {
        try await read { try Self.deletion(of: message, app: app, in: $0) }
    }

    static func deletion(of message: MessageID, app: App.ID, in database: Database) throws -> Deletion? {
        let page = message.number / Self.page
        guard try deleted(page, of: app, in: database).contains(DeviceOrdinal(message.number % Self.page)) else {
            return nil
        }
        let days = try Int.fetchOne(
            database,
            sql: "SELECT days FROM deletedMessage WHERE app = ? AND page = ?",
            arguments: [app, page]
        )
        return days.map(Deletion.init(days:))
    }

    package func forgetDeletions(before date: Date, limit: Int) async throws -> Bool {
        try await writes.write { database in
            try database.execute(
                sql: """
                    DELETE FROM deletedMessage WHERE (app, page) IN (
                        SELECT app, page FROM deletedMessage WHERE at < ? LIMIT ?
                    )
                    """,
                arguments: [date.milliseconds, limit]
            )
            return database.changesCount == limit
        }
    }

    package func deleteCIDs(
        after place: CIDPlace,
        usedBefore date: Date,
        ofSchedulesBefore scheduleDate: Date,
        limit: Int
    ) async throws -> CIDPlace? {
        let rows = try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT app, cid, usedAt FROM cid WHERE (app, cid) > (?, ?) ORDER BY app, cid LIMIT ?",
                arguments: [place.app, place.cid, limit]
            ).map { (app: $0["app"] as App.ID, cid: $0["cid"] as String, usedAt: $0["usedAt"] as Int64) }
        }
        let old = rows.filter { $0.usedAt < (FiringKey.isKey($0.cid) ? scheduleDate : date).milliseconds }
        if !old.isEmpty {
            try await writes.write { database in
                for (app, cid, usedAt) in old {
                    // The cid may have been used again meanwhile.
                    try database.cachedStatement(sql: "DELETE FROM cid WHERE app = ? AND cid = ? AND usedAt = ?")
                        .execute(arguments: [app, cid, usedAt])
                }
            }
        }
        guard rows.count == limit, let last = rows.last else { return nil }
        return CIDPlace(app: last.app, cid: last.cid)
    }

    package func expired(
        endedBefore date: Date,
        before times: [ReportUnit: String]
    ) async throws -> (schedules: Int, users: Int) {
        try await read { database in
            let schedules = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM schedule WHERE endedAt < ?",
                arguments: [date.milliseconds]
            )
            var users = 0
            for (unit, time) in times {
                users +=
                    try Int.fetchOne(
                        database,
                        sql: "SELECT count(*) FROM deviceUseCount WHERE unit = ? AND time < ?",
                        arguments: [unit.rawValue, time]
                    ) ?? 0
            }
            return (schedules ?? 0, users)
        }
    }

    package func deleteSchedules(
        endedBefore date: Date,
        cidsUsedBefore cidDate: Date,
        limit: Int
    ) async throws -> Bool {
        try await writes.write { database in
            try database.execute(
                sql: """
                    DELETE FROM scheduleCID WHERE (app, cid) IN (
                        SELECT app, cid FROM scheduleCID WHERE usedAt < ? LIMIT ?
                    )
                    """,
                arguments: [cidDate.milliseconds, limit]
            )
            let isFull = database.changesCount == limit
            let ended = try String.fetchAll(
                database,
                sql: "SELECT id FROM schedule WHERE endedAt < ? LIMIT ?",
                arguments: [date.milliseconds, limit]
            )
            for id in ended { try Self.deleteSchedule(id, in: database) }
            return isFull || ended.count == limit
        }
    }

    private static func deleteSchedule(_ id: String, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM scheduleFiring WHERE schedule = ?").execute(arguments: [id])
        try database.cachedStatement(sql: "DELETE FROM schedule WHERE id = ?").execute(arguments: [id])
    }

    package func deleteGroupPushes(
        acceptedBefore date: Date,
        filesEndedBefore now: Date,
        limit: Int
    ) async throws -> Bool {
        try await writes.write { database in
            try database.execute(
                sql: """
                    DELETE FROM groupPush WHERE id IN (
                        SELECT id FROM groupPush WHERE acceptedAt < ? AND NOT EXISTS (
                            SELECT 1 FROM groupPushMessage JOIN message ON message.id = groupPushMessage.message
                            WHERE groupPush = groupPush.id
                        ) LIMIT ?
                    )
                    """,
                arguments: [date.milliseconds, limit]
            )
            let isFull = database.changesCount == limit
            try database.execute(
                sql: "DELETE FROM audienceFile WHERE id IN (SELECT id FROM audienceFile WHERE expiresAt < ? LIMIT ?)",
                arguments: [now.milliseconds, limit]
            )
            return isFull || database.changesCount == limit
        }
    }

    package func hasOrphans() async throws -> Bool {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT 1 FROM app WHERE deletedAt IS NOT NULL AND isEmptied = 0") != nil
        }
    }

    package func deleteOrphans(limit: Int) async throws -> Bool {
        try await writes.write { database in
            let app = try App.ID.fetchOne(
                database,
                sql: "SELECT id FROM app WHERE deletedAt IS NOT NULL AND isEmptied = 0"
            )
            guard let app else { return false }
            for step in Self.orphanSteps {
                try database.execute(sql: step, arguments: [app, limit])
                if database.changesCount == limit { return true }
            }
            try database.execute(sql: "UPDATE app SET isEmptied = 1 WHERE id = ?", arguments: [app])
            // Another app may also have been deleted.
            return true
        }
    }

    /// The statements that each delete a number of rows of an app.
    static let orphanSteps: [String] = {
        let keys = [
            ("device", "ordinal"), ("tag", "name"), ("cid", "cid"), ("scheduleCID", "cid"),
            ("deviceUse", "(unit, time, measure, page)"), ("deviceUseCount", "(unit, time, measure)"),
            ("deviceFloor", "app"),
        ]
        let steps = keys.map { table, key in
            let columns = key.filter { !"()".contains($0) }
            return """
                DELETE FROM \(table) WHERE app = ?1
                    AND \(key) IN (SELECT \(columns) FROM \(table) WHERE app = ?1 LIMIT ?2)
                """
        }
        // One index covers those for one device, another those for several.
        let messages = ["IS NULL", "IS NOT NULL"].map { condition in
            """
            DELETE FROM customMessage WHERE position IN (
                SELECT position FROM customMessage WHERE app = ?1 AND onlyOrdinal \(condition) LIMIT ?2
            )
            """
        }
        return steps + messages
    }()
}
