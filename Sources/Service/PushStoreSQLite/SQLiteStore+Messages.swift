package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    /// Message ids begin here: sixteen digits, as those that client code has met.
    private static let firstMessageID: Int64 = 1 << 51

    package func reserveMessageIDs(_ count: Int64) async throws -> MessageID {
        try await writes.write { database in
            let key = "nextMessageID"
            let stored = try Int64.fetchOne(database, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key])
            let first = stored ?? Self.firstMessageID
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
                arguments: [key, first + count]
            )
            return MessageID(first)
        }
    }

    package func result(ofCID cid: String, app: App.ID, since date: Date) async throws -> PushResult? {
        try await database.read { try Self.result(ofCID: cid, app: app, since: date, in: $0) }
    }

    private static func result(
        ofCID cid: String,
        app: App.ID,
        since date: Date,
        in database: Database
    ) throws -> PushResult? {
        let statement = try database.cachedStatement(
            sql: "SELECT message, sendno FROM cid WHERE app = ? AND cid = ? AND usedAt >= ?"
        )
        return try Row.fetchOne(statement, arguments: [app, cid, date.milliseconds]).map {
            PushResult(messageID: MessageID($0["message"]), sendno: $0["sendno"])
        }
    }

    package func knowsMessage(_ id: MessageID, app: App.ID, since date: Date) async throws -> Bool {
        try await database.read { try Self.knowsMessage(id, app: app, since: date, in: $0) }
    }

    static func knowsMessage(_ id: MessageID, app: App.ID, since date: Date, in database: Database) throws -> Bool {
        try Row.fetchOne(
            database,
            sql: "SELECT 1 FROM message WHERE id = ? AND app = ? AND acceptedAt >= ?",
            arguments: [id.number, app, date.milliseconds]
        ) != nil
    }

    package func pacedMessages(of app: App.ID) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(DISTINCT message) FROM chunk WHERE isDone = 0 AND isPaced = 1 AND app = ?",
                arguments: [app]
            ) ?? 0
        }
    }

    package func accept(_ pushes: [PreparedPush], cidsSince: Date) async throws -> [PushResult?] {
        try await writes.write { database in
            try pushes.map { try Self.insert($0, cidsSince: cidsSince, into: database) }
        }
    }

    /// - Returns: the result of an earlier message with the same cid, in which case nothing was kept.
    static func insert(_ push: PreparedPush, cidsSince: Date, into database: Database) throws -> PushResult? {
        let message = push.message
        if let cid = message.cid {
            // One statement where the cid is new, which is almost always.
            try database.cachedStatement(
                sql: """
                    INSERT INTO cid (app, cid, message, sendno, usedAt) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt
                    WHERE usedAt < ?
                    """
            ).execute(arguments: [
                message.app, cid, message.id.number, message.sendno, message.acceptedAt.milliseconds,
                cidsSince.milliseconds,
            ])
            if database.changesCount == 0 {
                return try result(ofCID: cid, app: message.app, since: cidsSince, in: database)
            }
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno, cid)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            message.id.number, message.app, message.acceptedAt.milliseconds, Data(message.body),
            message.environment.rawValue, message.timeToLive, message.sendno, message.cid,
        ])
        for chunk in push.chunks { try insert(chunk, of: message, isPaced: push.isPaced, into: database) }
        return nil
    }

    private static func insert(_ chunk: Chunk, of message: Message, isPaced: Bool, into database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                    updatedAt, lane)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            message.id.number, chunk.id.number, message.app, chunk.kind.rawValue, Data(chunk.ordinals.packed),
            chunk.ordinals.ordinals.first, chunk.ordinals.ordinals.last, isPaced, chunk.dueAt.milliseconds,
            chunk.isDone,
            chunk.updatedAt.milliseconds, Lane(app: message.app, environment: message.environment).number,
        ])
    }
}
