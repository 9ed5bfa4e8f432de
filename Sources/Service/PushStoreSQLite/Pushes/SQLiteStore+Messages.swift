package import Foundation
import GRDB
package import PushModel
package import PushService
import PushStoreSQL

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

    /// Returns the result of a push with a cid, which some messages may have.
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
    static func result(inTable cid: String, app: App.ID, since: Int64, in database: Database) throws -> PushResult? {
        var question = try StatementBinding(
            "SELECT message, sendno FROM cid WHERE app = ? AND cid = ? AND usedAt >= ?",
            in: database
        )
        question.bind(Int64(app))
        question.bind(cid)
        question.bind(since)
        return try question.first(in: database) { row in
            PushResult(messageID: MessageID(row.int64(0)), sendno: UInt32(truncatingIfNeeded: row.int64(1)))
        }
    }

    package func results(ofFirings firings: [(key: String, app: App.ID)]) async throws -> [PushResult?] {
        guard !firings.isEmpty else { return [] }
        // The key of a firing is found only in its table.
        return try await read { database in
            try firings.map { try Self.result(inTable: $0.key, app: $0.app, since: Int64.min, in: database) }
        }
    }
}

extension MessageRow {
    /// Returns the result of the message, if it is part of a batch, has this cid and was accepted since then. The names of
    /// batches are read once.
    fileprivate static func result(
        of message: Int64,
        withCID cid: String,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        in database: Database
    ) throws -> PushResult? {
        let session = SQLiteSession(database: database)
        guard let row = try find(MessageID(message), in: session), let place = row.place, row.acceptedAt >= since
        else { return nil }
        let names = try read[row.id] ?? names(of: row.id, in: session)
        read[row.id] = names
        return names[place].cid == cid
            ? PushResult(messageID: names[place].id, sendno: names[place].sendno) : nil
    }
}
