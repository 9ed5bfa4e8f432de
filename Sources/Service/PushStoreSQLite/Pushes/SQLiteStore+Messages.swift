package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func reserveMessageIDs(_ count: Int64, notBefore floor: MessageID) async throws -> MessageID {
        try await writes.write { database in
            let key = "nextMessageID"
            let stored = try Int64.fetchOne(database, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key])
            let first = max(stored ?? 0, floor.number)
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
                arguments: [key, first + count]
            )
            return MessageID(first)
        }
    }

    package func results(ofCIDs names: [String], app: App.ID, since date: Date) async throws -> [PushResult?] {
        let since = date.milliseconds
        // The index belongs to the writer; a transaction without changes costs no sync.
        return try await writes.write { [self] database in
            var read: [Int64: [BatchNames.Name]] = [:]
            return try names.map { try result(ofCID: $0, app: app, since: since, &read, in: database) }
        }
    }

    func result(
        ofCID cid: String,
        app: App.ID,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        in database: Database
    ) throws -> PushResult? {
        // The key of a firing is kept longer, and is never in a batch.
        guard !FiringKey.isKey(cid) else {
            return try Self.result(inTable: cid, app: app, since: since, in: database)
        }
        let candidates = try cids.candidates(cid, app: app, since: since, in: database)
        return try Self.result(of: candidates, withCID: cid, app: app, since: since, &read, in: database)
    }

    /// * `candidates`: the messages that may have the cid.
    static func result(
        of candidates: [Int64],
        withCID cid: String,
        app: App.ID,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        in database: Database
    ) throws -> PushResult? {
        guard !candidates.isEmpty else { return nil }
        for message in candidates {
            if let first = try MessageRow.result(of: message, withCID: cid, since: since, &read, in: database) {
                return first
            }
        }
        return try result(inTable: cid, app: app, since: since, in: database)
    }

    /// Returns the result of a push outside a batch.
    static func result(
        inTable cid: String,
        app: App.ID,
        since: Int64,
        in database: Database
    ) throws -> PushResult? {
        var question = try StatementBinding(
            "SELECT message, sendno FROM cid WHERE app = ? AND cid = ? AND usedAt >= ?",
            in: database
        )
        question.bind(Int64(app))
        question.bind(cid)
        question.bind(since)
        return try question.first(in: database) { row in
            PushResult(messageID: MessageID(row.integer(0)), sendno: UInt32(truncatingIfNeeded: row.integer(1)))
        }
    }

    package func knowsMessage(_ id: MessageID, app: App.ID, since date: Date) async throws -> Bool {
        try await read { try Self.knowsMessage(id, app: app, since: date, in: $0) }
    }

    static func knowsMessage(_ id: MessageID, app: App.ID, since date: Date, in database: Database) throws -> Bool {
        guard let row = try MessageRow.find(id, in: database) else { return false }
        return row.app == app && row.acceptedAt >= date.milliseconds
    }

    package func pacedMessages(of app: App.ID) async throws -> Int {
        try await read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(DISTINCT message) FROM chunk WHERE isDone = 0 AND isPaced = 1 AND app = ?",
                arguments: [app]
            ) ?? 0
        }
    }
}
