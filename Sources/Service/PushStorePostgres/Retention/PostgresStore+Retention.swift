package import Foundation
import PostgresClient
package import PushModel
package import PushService

extension PostgresStore {
    /// The range of message ids in one row of deleted ones.
    private static let page: Int64 = 4096

    package func agingMessages(
        after id: MessageID,
        acceptedBefore date: Date,
        limit: Int
    ) async throws -> [AgingMessage] {
        try await readOnce { connection in
            let rows = try connection.execute(
                """
                SELECT message.id, coalesce(lastID, message.id), message.app, message.acceptedAt, app.deletedAt IS NOT NULL,
                    unstarted IS NOT NULL
                        OR EXISTS (SELECT 1 FROM chunk WHERE chunk.message = message.id AND NOT isDone),
                    greatest(message.acceptedAt,
                        (SELECT max(updatedAt) FROM chunk WHERE chunk.message = message.id),
                        (SELECT max(at) FROM chunkReport
                            WHERE chunkReport.message BETWEEN message.id AND coalesce(lastID, message.id)),
                        (SELECT expiresAt FROM customMessage WHERE customMessage.message = message.id))
                FROM message JOIN app ON app.id = message.app WHERE message.id > $1 ORDER BY message.id LIMIT $2
                """,
                .message(id),
                .int64(Int64(limit))
            )
            return rows.prefix { $0.int64(3) < date.milliseconds }.map { row in
                AgingMessage(
                    id: MessageID(row.int64(0)),
                    last: MessageID(row.int64(1)),
                    app: App.ID(truncatingIfNeeded: row.int64(2)),
                    acceptedAt: row.date(3),
                    endedAt: row.bool(5) ? nil : row.date(6),
                    isOrphan: row.bool(4)
                )
            }
        }
    }

    package func markDeleted(
        _ messages: [MessageID],
        of app: App.ID,
        _ deletion: Deletion,
        at date: Date
    ) async throws {
        try await write { session -> Void in
            let pages = Dictionary(grouping: messages, by: { $0.number / Self.page })
            for (page, messages) in pages.sorted(by: { $0.key < $1.key }) {
                var numbers = try Self.deleted(page, of: app, lock: "FOR UPDATE", in: session.connection)
                numbers.formUnion(messages.map { DeviceOrdinal($0.number % Self.page) })
                try session.connection.execute(
                    """
                    INSERT INTO deletedMessage (app, page, numbers, days, at) VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (app, page)
                    DO UPDATE SET numbers = excluded.numbers, days = excluded.days, at = excluded.at
                    """,
                    .app(app),
                    .int64(page),
                    .bytes(OrdinalList(numbers.sorted()).packed),
                    .int64(Int64(deletion.days)),
                    .date(date)
                )
            }
        }
    }

    /// * `lock`: what follows the query.
    private static func deleted(
        _ page: Int64,
        of app: App.ID,
        lock: String = "",
        in connection: PostgresConnection
    ) throws -> Set<DeviceOrdinal> {
        let rows = try connection.execute(
            "SELECT numbers FROM deletedMessage WHERE app = $1 AND page = $2 \(lock)",
            .app(app),
            .int64(page)
        )
        return Set(rows.first.map { OrdinalList(packed: $0.bytes(0)).ordinals } ?? [])
    }

    package func deleteMessage(_ id: MessageID, rows: Int) async throws -> Bool {
        try await write { session in
            let connection = session.connection
            let found = try connection.execute("SELECT lastID FROM message WHERE id = $1", .message(id))
            let last = found.first?.optionalInt64(0) ?? id.number
            var left = rows
            for table in ["journeyEvent", "stepEvent", "chunkReport", "chunk"] where left > 0 {
                left -= try connection.execute(
                    """
                    DELETE FROM \(table) WHERE ctid = ANY(ARRAY(
                        SELECT ctid FROM \(table) WHERE message BETWEEN $1 AND $2 LIMIT $3
                    ))
                    """,
                    .message(id),
                    .int64(last),
                    .int64(Int64(left))
                ).affected
            }
            guard left > 0 else { return false }
            try Self.deleteCIDs(ofBatch: id, in: connection)
            let receiver = try connection.execute("SELECT receiver FROM callback WHERE message = $1", .message(id))
                .first?.int64(0)
            if let receiver {
                // First, as all that changes its events does.
                try CallbackNotes.lockReceiver(receiver, in: connection)
                try Self.deleteCallbackEvents(of: id, in: connection)
            }
            try connection.pipeline { statements in
                statements.add("DELETE FROM batch WHERE first = $1", .message(id))
                statements.add("DELETE FROM customMessage WHERE message = $1", .message(id))
                statements.add("DELETE FROM callback WHERE message = $1", .message(id))
                statements.add("DELETE FROM voipPush WHERE message = $1 OR voip = $1", .message(id))
                statements.add("DELETE FROM message WHERE id = $1", .message(id))
            }
            if let receiver { try CallbackNotes.removeReceiver(receiver, in: connection) }
            return true
        }
    }

    /// Deletes the cids of a batch's pushes: they end with the batch.
    private static func deleteCIDs(ofBatch id: MessageID, in connection: PostgresConnection) throws {
        let rows = try connection.execute(
            "SELECT app, names FROM message JOIN batch ON first = id WHERE id = $1",
            .message(id)
        )
        // Those of a damaged batch are deleted when their window is over.
        guard let row = rows.first, let names = try? BatchNames(packed: row.bytes(1)).names else { return }
        try connection.execute(
            """
            DELETE FROM usedCID USING unnest($2::text[], $3::bigint[]) AS old (cid, message)
            WHERE usedCID.app = $1 AND usedCID.cid = old.cid AND usedCID.message = old.message
            """,
            .int64(row.int64(0)),
            .texts(names.map(\.cid)),
            .int64s(names.map(\.id.number))
        )
    }

    package func deletion(of message: MessageID, app: App.ID) async throws -> Deletion? {
        try await readOnce { try Self.deletion(of: message, app: app, in: $0) }
    }

    static func deletion(of message: MessageID, app: App.ID, in connection: PostgresConnection) throws -> Deletion? {
        let rows = try connection.execute(
            "SELECT numbers, days FROM deletedMessage WHERE app = $1 AND page = $2",
            .app(app),
            .int64(message.number / page)
        )
        guard let row = rows.first else { return nil }
        let number = DeviceOrdinal(message.number % page)
        return OrdinalList.place(of: number, packed: row.bytes(0)) == nil ? nil : Deletion(days: row.int(1))
    }

    package func forgetDeletions(before date: Date, limit: Int) async throws -> Bool {
        try await write { session in
            try session.connection.execute(
                """
                DELETE FROM deletedMessage WHERE (app, page) IN (SELECT app, page FROM deletedMessage WHERE at < $1 LIMIT $2)
                """,
                .date(date),
                .int64(Int64(limit))
            ).affected == limit
        }
    }

    package func deleteCIDs(
        after place: CIDPlace,
        usedBefore date: Date,
        ofSchedulesBefore scheduleDate: Date,
        limit: Int
    ) async throws -> CIDPlace? {
        if place == .start {
            let now = date.addingTimeInterval(TimeInterval(JPushLimits.cidLifetime))
            try await CIDRotation.turn(usedBefore: date.milliseconds, at: now.milliseconds, in: self)
        }
        let rows = try await readOnce { connection in
            try connection.execute(
                "SELECT app, cid, usedAt FROM cid WHERE (app, cid) > ($1, $2) ORDER BY app, cid LIMIT $3",
                .app(place.app),
                .text(place.cid),
                .int64(Int64(limit))
            ).map { (app: $0.int64(0), cid: $0.text(1), usedAt: $0.int64(2)) }
        }
        let old = rows.filter { $0.usedAt < (FiringKey.isKey($0.cid) ? scheduleDate : date).milliseconds }
        if !old.isEmpty {
            try await write { session -> Void in
                // The cid may have been used again meanwhile.
                try session.connection.execute(
                    """
                    DELETE FROM cid USING unnest($1::bigint[], $2::text[], $3::bigint[]) AS old (app, cid, usedAt)
                    WHERE cid.app = old.app AND cid.cid = old.cid AND cid.usedAt = old.usedAt
                    """,
                    .int64s(old.map(\.app)),
                    .texts(old.map(\.cid)),
                    .int64s(old.map(\.usedAt))
                )
            }
        }
        guard rows.count == limit, let last = rows.last else { return nil }
        return CIDPlace(app: App.ID(truncatingIfNeeded: last.app), cid: last.cid)
    }

    package func expired(
        endedBefore date: Date,
        before times: [ReportUnit: String]
    ) async throws -> (schedules: Int, users: Int) {
        try await read { connection in
            let schedules = try connection.execute("SELECT count(*) FROM schedule WHERE endedAt < $1", .date(date))
            let units = times.map { ($0.key.rawValue, $0.value) }
            let users = try connection.execute(
                """
                SELECT count(*) FROM deviceUseCount
                JOIN unnest($1::text[], $2::text[]) AS asked (unit, time)
                    ON deviceUseCount.unit = asked.unit AND deviceUseCount.time < asked.time
                """,
                .texts(units.map(\.0)),
                .texts(units.map(\.1))
            )
            return (schedules.first?.int(0) ?? 0, users.first?.int(0) ?? 0)
        }
    }

    package func deleteSchedules(
        endedBefore date: Date,
        cidsUsedBefore cidDate: Date,
        limit: Int
    ) async throws -> Bool {
        try await write { session in
            let connection = session.connection
            let cids = try connection.execute(
                """
                DELETE FROM scheduleCID WHERE (app, cid) IN (SELECT app, cid FROM scheduleCID WHERE usedAt < $1 LIMIT $2)
                """,
                .date(cidDate),
                .int64(Int64(limit))
            ).affected
            let ended = try connection.execute(
                """
                WITH ended AS (
                    DELETE FROM schedule WHERE number IN (SELECT number FROM schedule WHERE endedAt < $1 LIMIT $2) RETURNING id
                ),
                firings AS (DELETE FROM scheduleFiring WHERE schedule IN (SELECT id FROM ended))
                SELECT count(*) FROM ended
                """,
                .date(date),
                .int64(Int64(limit))
            )
            return cids == limit || ended.first?.int(0) == limit
        }
    }

    package func deleteGroupPushes(
        acceptedBefore date: Date,
        filesEndedBefore now: Date,
        limit: Int
    ) async throws -> Bool {
        try await write { session in
            let connection = session.connection
            let pushes = try connection.execute(
                """
                DELETE FROM groupPush WHERE id IN (
                    SELECT id FROM groupPush WHERE acceptedAt < $1 AND NOT EXISTS (
                        SELECT 1 FROM groupPushMessage JOIN message ON message.id = groupPushMessage.message
                        WHERE groupPushMessage.groupPush = groupPush.id
                    ) LIMIT $2
                )
                """,
                .date(date),
                .int64(Int64(limit))
            ).affected
            let files = try connection.execute(
                "DELETE FROM audienceFile WHERE id IN (SELECT id FROM audienceFile WHERE expiresAt < $1 LIMIT $2)",
                .date(now),
                .int64(Int64(limit))
            ).affected
            return pushes == limit || files == limit
        }
    }

    package func hasOrphans() async throws -> Bool {
        try await readOnce { connection in
            try !connection.execute("SELECT 1 FROM app WHERE deletedAt IS NOT NULL AND NOT isEmptied LIMIT 1").isEmpty
        }
    }

    package func deleteOrphans(limit: Int) async throws -> Bool {
        try await write { session in
            let connection = session.connection
            let apps = try connection.execute(
                "SELECT id FROM app WHERE deletedAt IS NOT NULL AND NOT isEmptied ORDER BY id LIMIT 1"
            )
            guard let app = apps.first?.int64(0) else { return false }
            for table in Self.tablesOfApps {
                let deleted = try connection.execute(
                    """
                    DELETE FROM \(table) WHERE ctid = ANY(ARRAY(SELECT ctid FROM \(table) WHERE app = $1 LIMIT $2))
                    """,
                    .int64(app),
                    .int64(Int64(limit))
                ).affected
                if deleted == limit { return true }
            }
            try connection.execute("UPDATE app SET isEmptied = true WHERE id = $1", .int64(app))
            // Another app may also have been deleted.
            return true
        }
    }

    /// The tables whose rows of a deleted app are deleted.
    private static let tablesOfApps = [
        "channelToken", "importedID", "messageCursor", "link", "device", "tag", "cid", "scheduleCID", "deviceUse",
        "deviceUseCount", "deviceFloor", "customMessage",
    ]

    package func bringForward(by seconds: TimeInterval, at now: Date) async throws {
        let difference = PostgresValue.int64(Int64(seconds * 1000))
        try await write { session -> Void in
            let connection = session.connection
            // A chunk stored in its message's row is due when the message was accepted.
            let later = try connection.execute(
                "SELECT id FROM message WHERE unstarted IS NOT NULL AND acceptedAt > $1 ORDER BY id",
                .date(now)
            )
            try StoredMessage.unfold(later.map { $0.int64(0) }, in: connection)
            try connection.execute(
                "UPDATE chunk SET dueAt = greatest($1, dueAt - $2) WHERE NOT isDone AND dueAt > $1",
                .date(now),
                difference
            )
            try connection.execute(
                "UPDATE pause SET until = greatest($1, until - $2) WHERE until > $1",
                .date(now),
                difference
            )
        }
    }
}
