package import Foundation
import GRDB
package import PushModel
package import PushService
import PushStoreSQL

extension SQLiteStore {
    package func accept(
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<[StoredPush], any Error>) -> Void
    ) {
        writes.write(
            bytes: pushes.indices.reduce(0) { $0 + pushes[$1].bytes },
            { [self] database in try insert(pushes, cidsSince: cidsSince, into: database) },
            reply: reply
        )
    }

    /// Stores pushes and returns their results.
    func insert(_ pushes: [PreparedPush], cidsSince: Date, into database: Database) throws -> [StoredPush] {
        guard !pushes.isEmpty else { return [] }
        let since = cidsSince.milliseconds
        var read: [Int64: [BatchNames.Name]] = [:]
        var rows = try PushRows(in: database)
        var results: [StoredPush] = []
        results.reserveCapacity(pushes.count)
        // By place: an element of this size is dear to copy.
        for place in pushes.indices {
            var stored = StoredPush()
            if pushes[place].message.batch != nil {
                stored.batched = try claimCIDs(of: pushes[place].message, since: since, &read, in: database)
                if let new = pushes[place].withoutRepeated(stored) { stored.position = try rows.insert(new) }
            } else {
                if let cid = pushes[place].message.cid {
                    stored.earlier = try claim(cid, of: pushes[place].message, since: since, &read, &rows, in: database)
                }
                if stored.earlier == nil { stored.position = try rows.insert(pushes[place]) }
            }
            results.append(stored)
        }
        return results
    }

    /// Claims the cid of a single push.
    ///
    /// - Returns: the result of an earlier push with the same cid.
    private func claim(
        _ cid: String,
        of message: Message,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        _ rows: inout PushRows,
        in database: Database
    ) throws -> PushResult? {
        if let earlier = try result(ofCID: cid, app: message.app, since: since, &read, in: database) { return earlier }
        try rows.claim(cid, for: message)
        if !FiringKey.isKey(cid) {
            let date = message.acceptedAt.milliseconds
            cids.add(cid, of: message.id.number, app: message.app, at: date, since: since)
        }
        return nil
    }

    /// Claims the cids of a batch's pushes.
    ///
    /// - Returns: the results of earlier pushes with the same cids, by place.
    private func claimCIDs(
        of message: Message,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        in database: Database
    ) throws -> [PushResult?] {
        let entries = message.batch?.entries ?? []
        var results = [PushResult?](repeating: nil, count: entries.count)
        let date = message.acceptedAt.milliseconds
        for (place, candidates) in try cids.add(entries, app: message.app, at: date, since: since, in: database) {
            let entry = entries[place]
            results[place] = try Self.result(
                of: candidates,
                withCID: entry.cid,
                app: message.app,
                since: since,
                &read,
                in: database
            )
            guard results[place] == nil else { continue }
            cids.add(entry.cid, of: entry.id.number, app: message.app, at: date, since: since)
        }
        return results
    }

    package func reserveMessageIDs(_ count: Int64, notBefore floor: MessageID) async throws -> MessageID {
        try await change { session in
            let stored = try session.number("SELECT value FROM setting WHERE key = 'nextMessageID'")
            let first = max(stored, floor.number)
            let next = first + count
            try session.execute("INSERT OR REPLACE INTO setting (key, value) VALUES ('nextMessageID', \(next))")
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
        guard !FiringKey.isKey(cid) else { return try Self.result(inTable: cid, app: app, since: since, in: database) }
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
        try SQLiteSession(database: database).first(
            "SELECT message, sendno FROM cid WHERE app = \(app) AND cid = \(cid) AND usedAt >= \(since)"
        ) { PushResult(messageID: $0.message(0), sendno: UInt32(truncatingIfNeeded: $0.int64(1))) }
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
