import Foundation
import GRDB
import PushModel
import PushService
import PushStoreSQL

extension MessageRow {
    /// Returns the result of the message, if it is part of a batch, has this cid and was accepted since then. The names of
    /// batches are read once.
    static func result(
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

extension StoredMessage {
    static func read(_ id: Int64, in database: Database) throws -> StoredMessage? {
        var question = try StatementBinding(query, in: database)
        question.bind(id)
        return try question.first(in: database) { try StoredMessage($0) }
    }
}

extension SQLiteStore {
    /// Moves the only chunk of a message from the message's row to its own, optionally with a lease.
    static func unfold(
        _ message: Int64,
        as fence: Int64 = 0,
        _ claim: LeaseClaim? = nil,
        in database: Database
    ) throws {
        let columns = """
            message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone, attempt, cursor, prepared,
            sent, settled, problem, updatedAt, lane, origin, deferred
            """
        var chunk = try StatementBinding(
            """
            INSERT INTO chunk (\(columns), leaseOwner, leasedUntil, fence) SELECT \(columns), ?2, ?3, ?4
            FROM unstartedChunk WHERE message = ?1
            """,
            in: database
        )
        chunk.bind(message)
        chunk.bind(claim?.owner.rawValue)
        chunk.bind(claim?.expiresAt.milliseconds)
        chunk.bind(fence)
        try chunk.execute(in: database)
        guard database.changesCount > 0 else { return }
        var rest = try StatementBinding("UPDATE message SET unstarted = NULL WHERE id = ?", in: database)
        rest.bind(message)
        try rest.execute(in: database)
    }
}
