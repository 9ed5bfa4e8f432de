package import Foundation
import GRDB
package import PushModel
package import PushService

// Withdrawing pushes.
extension SQLiteStore {
    package func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]? {
        try await writes.write { database in
            guard let ended = try Self.end(id, of: app, since: date, at: now, in: database) else { return nil }
            guard let voip = try Self.voipPush(of: id, in: database), voip != id else { return ended }
            return try ended + (Self.end(voip, of: app, since: date, at: now, in: database) ?? [])
        }
    }

    /// Ends the rest of one message.
    ///
    /// - Returns: the previous state of the ended chunks that no worker holds; nil if the app has sent no such message since `date`.
    private static func end(
        _ id: MessageID,
        of app: App.ID,
        since date: Date,
        at now: Date,
        in database: Database
    ) throws -> [Chunk]? {
        guard let row = try MessageRow.find(id, in: database), row.app == app, row.acceptedAt >= date.milliseconds
        else { return nil }
        try unfold(row.id, in: database)
        if let place = row.place {
            return try withdraw(id, place: place, of: row, at: now, in: database).map { [$0] } ?? []
        }
        let ended = try chunks(
            "FROM chunk WHERE message = ? AND isDone = 0 AND leaseOwner IS NULL ORDER BY number",
            [id.number],
            in: database
        ).map(\.chunk)
        try withdrawCustomMessage(id, at: now, in: database)
        let problem = JourneyEvent.service(.withdrawn, at: now).json.text
        try database.execute(
            sql: "UPDATE chunk SET isDone = 1, problem = ?, updatedAt = ? WHERE message = ? AND isDone = 0",
            arguments: [problem, now.milliseconds, id.number]
        )
        return ended
    }

    /// Ends one push of a batch; the others continue.
    ///
    /// - Returns: its part of the chunk as it was; nil if it was finished or is being sent.
    private static func withdraw(
        _ id: MessageID,
        place: Int,
        of batch: MessageRow,
        at now: Date,
        in database: Database
    ) throws -> Chunk? {
        let found = try chunks("FROM chunk WHERE message = ? AND number = 0", [batch.id], in: database).first
        guard let found else { return nil }
        var chunk = found.chunk
        guard chunk.kind.isForAPNs else {
            try withdrawCustomMessage(id, place: place, of: chunk, acceptedWith: batch, at: now, in: database)
            return nil
        }
        let ordinal = chunk.ordinals.ordinals[place]
        let retry = try retry(of: ordinal, in: chunk.id.message, database)
        let part = chunk.part(at: place, of: id)
        guard retry.map({ !$0.chunk.isDone }) ?? !part.isDone, !part.sent.contains(0), !part.settled.contains(0) else {
            return nil
        }
        if let retry { try settle(ordinal, in: retry.chunk, database) }
        chunk.settled.insert(place)
        try database.execute(
            sql: "UPDATE chunk SET settled = ? WHERE message = ? AND number = 0",
            arguments: [Data(chunk.settled.bytes), batch.id]
        )
        let event = JourneyEvent.service(.withdrawn, at: now)
        try insert([JourneyEntry(message: id, ordinal: ordinal, event: event)], into: database)
        let isUnderWay = retry?.isLeased ?? found.isLeased
        return isUnderWay ? nil : part
    }

    /// Returns the chunk in which a device is retried; nil if there is none.
    static func retry(
        of ordinal: DeviceOrdinal,
        in message: MessageID,
        _ database: Database
    ) throws -> (chunk: Chunk, isLeased: Bool)? {
        try chunks(
            """
            FROM chunk WHERE message = ?1 AND kind = 'retry' AND firstOrdinal <= ?2 AND lastOrdinal >= ?2 ORDER BY number DESC
            """,
            [message.number, Int64(ordinal)],
            in: database
        ).first { $0.chunk.ordinals.place(of: ordinal) != nil }
    }

    /// Returns chunks, and whether they are leased.
    ///
    /// * `source`: the query from `FROM` on; `values`: its arguments.
    static func chunks(
        _ source: String,
        _ values: [Int64],
        in database: Database
    ) throws -> [(chunk: Chunk, isLeased: Bool)] {
        var question = try StatementBinding("SELECT \(Chunk.columns), leaseOwner \(source)", in: database)
        for value in values { question.bind(value) }
        var found: [(chunk: Chunk, isLeased: Bool)] = []
        try question.forEach(in: database) { row in
            found.append((try Chunk(row), !row.isNull(Chunk.columnCount)))
            return true
        }
        return found
    }

    private static func settle(_ ordinal: DeviceOrdinal, in retry: Chunk, _ database: Database) throws {
        guard let place = retry.ordinals.place(of: ordinal) else { return }
        var settled = retry.settled
        settled.insert(place)
        try database.execute(
            sql: "UPDATE chunk SET settled = ? WHERE message = ? AND number = ?",
            arguments: [Data(settled.bytes), retry.id.message.number, retry.id.number]
        )
    }
}
