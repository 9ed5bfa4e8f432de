package import Foundation
import PostgresClient
package import PushModel
package import PushService

// Withdrawing pushes.
extension PostgresStore {
    package func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]? {
        try await write { [self] session in
            let connection = session.connection
            guard var ended = try Self.end(id, of: app, since: date, at: now, in: connection) else { return nil }
            var entries = [NewLogEntry.withdrawn(id)]
            if let voip = try Self.voipPush(of: id, in: connection), voip != id {
                ended += try Self.end(voip, of: app, since: date, at: now, in: connection) ?? []
                entries.append(.withdrawn(voip))
            }
            try addToLog(entries, in: connection)
            return ended
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
        in connection: PostgresConnection
    ) throws -> [Chunk]? {
        guard let row = try MessageRow.find(id, in: connection), row.app == app, row.acceptedAt >= date.milliseconds
        else { return nil }
        try StoredMessage.unfold([row.id], in: connection)
        // Waits for a lease or a checkpoint of the message.
        try connection.execute("SELECT 1 FROM chunk WHERE message = $1 ORDER BY number FOR UPDATE", .int64(row.id))
        if let place = row.place {
            return try withdraw(id, place: place, of: row, at: now, in: connection).map { [$0] } ?? []
        }
        let ended = try Chunk.read(
            "FROM chunk WHERE message = $1 AND NOT isDone AND leaseOwner IS NULL ORDER BY number",
            [id.number],
            in: connection
        ).map(\.chunk)
        try withdrawCustomMessage(id, at: now, in: connection)
        try connection.execute(
            "UPDATE chunk SET isDone = true, problem = $1, updatedAt = $2 WHERE message = $3 AND NOT isDone",
            .text(JourneyEvent.service(.withdrawn, at: now).json.text),
            .date(now),
            .message(id)
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
        in connection: PostgresConnection
    ) throws -> Chunk? {
        let found = try Chunk.read("FROM chunk WHERE message = $1 AND number = 0", [batch.id], in: connection).first
        guard let found else { return nil }
        var chunk = found.chunk
        guard chunk.kind.isForAPNs else {
            try withdrawCustomMessage(id, place: place, of: chunk, acceptedWith: batch, at: now, in: connection)
            return nil
        }
        let ordinal = chunk.ordinals.ordinals[place]
        let retry = try retry(of: ordinal, in: chunk.id.message, connection)
        let part = chunk.part(at: place, of: id)
        guard retry.map({ !$0.chunk.isDone }) ?? !part.isDone, !part.sent.contains(0), !part.settled.contains(0) else {
            return nil
        }
        if let retry, let place = retry.chunk.ordinals.place(of: ordinal) {
            var retry = retry.chunk
            retry.settled.insert(place)
            try setSettled(retry, in: connection)
        }
        chunk.settled.insert(place)
        try setSettled(chunk, in: connection)
        try insertWithdrawal(of: id, from: ordinal, at: now, in: connection)
        let isUnderWay = retry?.isLeased ?? found.isLeased
        return isUnderWay ? nil : part
    }

    private static func setSettled(_ chunk: Chunk, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE chunk SET settled = $1 WHERE message = $2 AND number = $3",
            .bytes(chunk.settled.bytes),
            .message(chunk.id.message),
            .int64(Int64(chunk.id.number))
        )
    }

    private static func insertWithdrawal(
        of id: MessageID,
        from ordinal: DeviceOrdinal,
        at now: Date,
        in connection: PostgresConnection
    ) throws {
        let event = JourneyEvent.service(.withdrawn, at: now)
        try connection.pipeline { try insert([JourneyEntry(message: id, ordinal: ordinal, event: event)], to: $0) }
    }

    /// Returns the chunk in which a device is retried; nil if there is none.
    static func retry(
        of ordinal: DeviceOrdinal,
        in message: MessageID,
        _ connection: PostgresConnection
    ) throws -> (chunk: Chunk, isLeased: Bool)? {
        try Chunk.read(
            """
            FROM chunk WHERE message = $1 AND kind = 'retry' AND firstOrdinal <= $2 AND lastOrdinal >= $2 ORDER BY number DESC
            """,
            [message.number, Int64(ordinal)],
            in: connection
        ).first { $0.chunk.ordinals.place(of: ordinal) != nil }
    }

    /// Ends a custom message, unless it has already expired.
    private static func withdrawCustomMessage(
        _ id: MessageID,
        at now: Date,
        in connection: PostgresConnection
    ) throws {
        try connection.execute("DELETE FROM customMessage WHERE message = $1", .message(id))
        try connection.execute(
            """
            UPDATE chunk SET problem = $1, updatedAt = $2
            WHERE message = $3 AND kind IN ('message', 'inApp') AND problem IS NULL AND $2 <
                (SELECT acceptedAt + 1000 * timeToLive FROM message WHERE id = chunk.message)
            """,
            .text(JourneyEvent.service(.withdrawn, at: now).json.text),
            .date(now),
            .message(id)
        )
    }

    /// Ends one custom message of a batch, unless it has already expired.
    private static func withdrawCustomMessage(
        _ id: MessageID,
        place: Int,
        of batch: Chunk,
        acceptedWith row: MessageRow,
        at now: Date,
        in connection: PostgresConnection
    ) throws {
        var batch = batch
        let rows = try connection.execute("SELECT timeToLive FROM message WHERE id = $1", .int64(row.id))
        let timeToLive = rows.first?.int64(0) ?? 0
        guard now.milliseconds < row.acceptedAt + 1000 * timeToLive, !batch.settled.contains(place) else { return }
        batch.settled.insert(place)
        try setSettled(batch, in: connection)
        try insertWithdrawal(of: id, from: batch.ordinals.ordinals[place], at: now, in: connection)
    }
}
