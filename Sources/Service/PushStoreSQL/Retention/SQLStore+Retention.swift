package import Foundation
package import PushModel
package import PushService

/// The range of message ids in one row of deleted ones.
private let deletedPage: Int64 = 4096

extension SQLStore {
    package func agingMessages(
        after id: MessageID,
        acceptedBefore date: Date,
        limit: Int
    ) async throws -> [AgingMessage] {
        try await queryOnce { session in
            let rows = try session.rows(
                """
                SELECT message.id, coalesce(lastID, message.id), message.app, message.acceptedAt, app.deletedAt IS NOT NULL,
                    unstarted IS NOT NULL OR EXISTS (SELECT 1 FROM chunk WHERE chunk.message = message.id AND NOT isDone),
                    (SELECT max(updatedAt) FROM chunk WHERE chunk.message = message.id),
                    (SELECT max(at) FROM chunkReport
                        WHERE chunkReport.message BETWEEN message.id AND coalesce(lastID, message.id)),
                    (SELECT expiresAt FROM customMessage WHERE customMessage.message = message.id)
                FROM message JOIN app ON app.id = message.app WHERE message.id > \(id) ORDER BY message.id LIMIT \(limit)
                """
            ) { row in
                let ends = [row.optionalDate(6), row.optionalDate(7), row.optionalDate(8)].compactMap(\.self)
                return AgingMessage(
                    id: row.message(0),
                    last: row.message(1),
                    app: row.app(2),
                    acceptedAt: row.date(3),
                    endedAt: row.bool(5) ? nil : max(row.date(3), ends.max() ?? row.date(3)),
                    isOrphan: row.bool(4)
                )
            }
            return Array(rows.prefix { $0.acceptedAt < date })
        }
    }

    package func markDeleted(
        _ messages: [MessageID],
        of app: App.ID,
        _ deletion: Deletion,
        at date: Date
    ) async throws {
        try await change { session in
            let pages = Dictionary(grouping: messages, by: { $0.number / deletedPage })
            for (page, messages) in pages.sorted(by: { $0.key < $1.key }) {
                var numbers = try session.deleted(page, of: app, lock: session.dialect.locking())
                numbers.formUnion(messages.map { DeviceOrdinal($0.number % deletedPage) })
                try session.queue(
                    """
                    INSERT INTO deletedMessage (app, page, numbers, days, at) VALUES (\(app), \(page),
                        \(OrdinalList(numbers.sorted()).packed), \(deletion.days), \(date))
                    ON CONFLICT (app, page)
                    DO UPDATE SET numbers = excluded.numbers, days = excluded.days, at = excluded.at
                    """
                )
            }
        }
    }

    package func deleteMessage(_ id: MessageID, rows: Int) async throws -> Bool {
        try await change { session in
            let found = try session.first("SELECT lastID FROM message WHERE id = \(id)") { $0.optionalInt64(0) }
            let last = (found ?? nil) ?? id.number
            var left = rows
            for (table, key) in Self.tablesOfMessages where left > 0 {
                let rows: SQLStatement = "FROM \(raw: table) WHERE message BETWEEN \(id) AND \(last)"
                let columns = key.filter { !"()".contains($0) }
                left -= try session.execute(
                    "DELETE \(rows) AND \(raw: key) IN (SELECT \(raw: columns) \(rows) LIMIT \(left))"
                )
            }
            guard left > 0 else { return false }
            try session.forgetCIDs(ofBatch: id)
            let receiver = try session.firstNumber("SELECT receiver FROM callback WHERE message = \(id)")
            if let receiver {
                // First, as all that changes its events does.
                try CallbackNotes.lockReceiver(receiver, in: session)
                try session.deleteCallbackEvents(of: id)
            }
            try session.queue("DELETE FROM batch WHERE first = \(id)")
            try session.queue("DELETE FROM customMessage WHERE message = \(id)")
            try session.queue("DELETE FROM callback WHERE message = \(id)")
            try session.queue("DELETE FROM takeBackOrder WHERE message = \(id) OR id = \(id)")
            try session.queue("DELETE FROM voipPush WHERE message = \(id) OR voip = \(id)")
            try session.queue(
                "DELETE FROM planMessage WHERE message >= \(id) AND message <= (SELECT coalesce(lastID, id) FROM message WHERE id = \(id))"
            )
            try session.queue("DELETE FROM message WHERE id = \(id)")
            if let receiver { try CallbackNotes.removeReceiver(receiver, in: session) }
            return true
        }
    }

    /// The tables with rows of messages, and their keys.
    private static var tablesOfMessages: [(table: String, key: String)] {
        [
            ("journeyEvent", "number"), ("stepEvent", "number"), ("chunkReport", "(message, number)"),
            ("chunk", "(message, number)"),
        ]
    }

    package func deletion(of message: MessageID, app: App.ID) async throws -> Deletion? {
        try await queryOnce { try $0.deletion(of: message, app: app) }
    }

    package func forgetDeletions(before date: Date, limit: Int) async throws -> Bool {
        try await execute(
            "DELETE FROM deletedMessage WHERE (app, page) IN (SELECT app, page FROM deletedMessage WHERE at < \(date) LIMIT \(limit))"
        ) == limit
    }

    package func deleteCIDs(
        after place: CIDPlace,
        usedBefore date: Date,
        ofSchedulesBefore scheduleDate: Date,
        limit: Int
    ) async throws -> CIDPlace? {
        if place == .start { try await rotateCIDs(usedBefore: date) }
        let rows = try await rows(
            "SELECT app, cid, usedAt FROM cid WHERE (app, cid) > (\(place.app), \(place.cid)) ORDER BY app, cid LIMIT \(limit)"
        ) { (app: $0.app(0), cid: $0.text(1), usedAt: $0.int64(2)) }
        let old = rows.filter { $0.usedAt < (FiringKey.isKey($0.cid) ? scheduleDate : date).milliseconds }
        if !old.isEmpty {
            try await change { session in
                // The cid may have been used again meanwhile.
                for (app, cid, usedAt) in old {
                    try session.queue("DELETE FROM cid WHERE app = \(app) AND cid = \(cid) AND usedAt = \(usedAt)")
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
        try await query { session in
            let schedules = try session.number("SELECT count(*) FROM schedule WHERE endedAt < \(date)")
            let users = try times.reduce(0) { count, ended in
                try count
                    + session.number(
                        "SELECT count(*) FROM deviceUseCount WHERE unit = \(ended.key) AND time < \(ended.value)"
                    )
            }
            return (Int(schedules), Int(users))
        }
    }

    package func deleteSchedules(
        endedBefore date: Date,
        cidsUsedBefore cidDate: Date,
        limit: Int
    ) async throws -> Bool {
        try await change { session in
            let cids = try session.execute(
                "DELETE FROM scheduleCID WHERE (app, cid) IN (SELECT app, cid FROM scheduleCID WHERE usedAt < \(cidDate) LIMIT \(limit))"
            )
            let ended = try session.rows(
                "SELECT id FROM schedule WHERE endedAt < \(date) LIMIT \(limit) \(raw: session.dialect.locking())"
            ) { $0.text(0) }
            for id in ended {
                try session.queue("DELETE FROM scheduleFiring WHERE schedule = \(id)")
                try session.queue("DELETE FROM schedule WHERE id = \(id)")
            }
            return cids == limit || ended.count == limit
        }
    }

    package func deleteGroupPushes(
        acceptedBefore date: Date,
        filesEndedBefore now: Date,
        limit: Int
    ) async throws -> Bool {
        try await change { session in
            let pushes = try session.execute(
                """
                DELETE FROM groupPush WHERE id IN (
                    SELECT id FROM groupPush WHERE acceptedAt < \(date) AND NOT EXISTS (
                        SELECT 1 FROM groupPushMessage JOIN message ON message.id = groupPushMessage.message
                        WHERE groupPushMessage.groupPush = groupPush.id
                    ) LIMIT \(limit)
                )
                """
            )
            let files = try session.execute(
                "DELETE FROM audienceFile WHERE id IN (SELECT id FROM audienceFile WHERE expiresAt < \(now) LIMIT \(limit))"
            )
            return pushes == limit || files == limit
        }
    }

    package func hasOrphans() async throws -> Bool {
        try await number("SELECT count(*) FROM app WHERE deletedAt IS NOT NULL AND NOT isEmptied") > 0
    }

    package func deleteOrphans(limit: Int) async throws -> Bool {
        try await change { session in
            let app = try session.first(
                "SELECT id FROM app WHERE deletedAt IS NOT NULL AND NOT isEmptied ORDER BY id LIMIT 1"
            ) { $0.app(0) }
            guard let app else { return false }
            for step in Self.orphanSteps(of: app, limit, for: session.dialect) {
                if try session.execute(step) == limit { return true }
            }
            try session.queue("UPDATE app SET isEmptied = true WHERE id = \(app)")
            // Another app may also have been deleted.
            return true
        }
    }

    /// Returns the statements that each delete some rows of an app, up to a limit.
    private static func orphanSteps(of app: App.ID, _ limit: Int, for dialect: SQLDialect) -> [SQLStatement] {
        // In SQLite a trigger deletes the parts of a device.
        let parts = [("channelToken", "(ordinal, channel, name)"), ("importedID", "id"), ("messageCursor", "ordinal")]
        let keys = [
            ("device", "ordinal"), ("tag", "name"), ("segment", "name"), ("cid", "cid"), ("scheduleCID", "cid"),
            ("deviceUse", "(unit, time, measure, page)"), ("deviceUseCount", "(unit, time, measure)"),
            ("deviceFloor", "app"), ("pushTemplate", "number"),
            ("planMessage", "message"), ("pushPlan", "name"), ("appEvent", "number"), ("eventStream", "app"),
            ("topic", "name"), ("topicDecline", "(ordinal, topic)"), ("topicUse", "(ordinal, topic)"),
        ]
        let steps = (dialect == .sqlite ? keys : parts + [("link", "ordinal")] + keys).map { table, key in
            let rows: SQLStatement = "FROM \(raw: table) WHERE app = \(app)"
            let columns = key.filter { !"()".contains($0) }
            return "DELETE \(rows) AND \(raw: key) IN (SELECT \(raw: columns) \(rows) LIMIT \(limit))" as SQLStatement
        }
        // One index covers those for one device, another those for several.
        let messages = ["IS NULL", "IS NOT NULL"].map { condition in
            """
            DELETE FROM customMessage WHERE position IN (
                SELECT position FROM customMessage WHERE app = \(app) AND onlyOrdinal \(raw: condition) LIMIT \(limit)
            )
            """ as SQLStatement
        }
        return steps + messages
    }

    package func bringForward(by seconds: TimeInterval, at now: Date) async throws {
        let difference = Int64(seconds * 1000)
        try await change { session in
            // A chunk stored in its message's row is due when the message was accepted.
            let later = try session.numbers(
                "SELECT id FROM message WHERE unstarted IS NOT NULL AND acceptedAt > \(now) ORDER BY id"
            )
            try session.unfold(later)
            let greatest = session.dialect.greatest
            try session.queue(
                "UPDATE chunk SET dueAt = \(raw: greatest)(\(now), dueAt - \(difference)) WHERE NOT isDone AND dueAt > \(now)"
            )
            try session.queue(
                "UPDATE destinationPause SET until = \(raw: greatest)(\(now), until - \(difference)) WHERE until > \(now)"
            )
            // Events are locked with their receivers, by number.
            try session.lockRows(
                "SELECT 1 FROM callbackReceiver WHERE dueAt IS NOT NULL ORDER BY id",
                lock: .noKeyUpdate
            )
            for table in ["callbackReceiver", "callbackEvent"] {
                try session.queue(
                    "UPDATE \(raw: table) SET dueAt = \(raw: greatest)(\(now), dueAt - \(difference)) WHERE dueAt > \(now)"
                )
            }
        }
    }
}

extension SQLSession {
    /// Returns the deleted devices of a page, with `lock` behind the query.
    fileprivate func deleted(_ page: Int64, of app: App.ID, lock: String = "") throws -> Set<DeviceOrdinal> {
        let ordinals = try first(
            "SELECT numbers FROM deletedMessage WHERE app = \(app) AND page = \(page) \(raw: lock)"
        ) { $0.ordinals(0).ordinals }
        return Set(ordinals ?? [])
    }

    func deletion(of message: MessageID, app: App.ID) throws -> Deletion? {
        try first(
            "SELECT numbers, days FROM deletedMessage WHERE app = \(app) AND page = \(message.number / deletedPage)"
        ) { row in
            let number = DeviceOrdinal(message.number % deletedPage)
            return OrdinalList(packed: row.bytes(0)).place(of: number) == nil ? nil : Deletion(days: row.int(1))
        } ?? nil
    }
}
