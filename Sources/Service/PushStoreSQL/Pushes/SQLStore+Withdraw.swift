package import Foundation
package import PushModel
package import PushService

// Withdrawing pushes.
extension SQLStore {
    package func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]? {
        try await change { session in
            guard var ended = try Self.end(id, of: app, since: date, at: now, in: session) else { return nil }
            var changes = [SQLAnnouncement.withdrawn(id)]
            if let voip = try Self.voipPush(of: id, in: session), voip != id {
                ended += try Self.end(voip, of: app, since: date, at: now, in: session) ?? []
                changes.append(.withdrawn(voip))
            }
            try session.announce(changes)
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
        in session: any SQLSession
    ) throws -> [Chunk]? {
        guard let row = try MessageRow.find(id, in: session), row.app == app, row.acceptedAt >= date.milliseconds
        else { return nil }
        try session.unfold([row.id])
        // Waits for a lease or a checkpoint of the message.
        try session.lockRows("SELECT 1 FROM chunk WHERE message = \(row.id) ORDER BY number")
        if let place = row.place {
            return try withdraw(id, place: place, of: row, at: now, in: session).map { [$0] } ?? []
        }
        let ended = try Chunk.read(
            "FROM chunk WHERE message = \(id) AND NOT isDone AND leaseOwner IS NULL ORDER BY number",
            in: session
        ).map(\.chunk)
        try withdrawCustomMessage(id, at: now, in: session)
        try session.execute(
            """
            UPDATE chunk SET isDone = true, problem = \(JourneyEvent.service(.withdrawn, at: now).json.text),
                updatedAt = \(now) WHERE message = \(id) AND NOT isDone
            """
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
        in session: any SQLSession
    ) throws -> Chunk? {
        let found = try Chunk.read("FROM chunk WHERE message = \(batch.id) AND number = 0", in: session).first
        guard let found else { return nil }
        var chunk = found.chunk
        guard chunk.kind.isForAPNs else {
            try withdrawCustomMessage(id, place: place, of: chunk, acceptedWith: batch, at: now, in: session)
            return nil
        }
        let ordinal = chunk.ordinals.ordinals[place]
        let retry = try Chunk.retry(of: ordinal, in: chunk.id.message, session)
        let alone = chunk.alone(at: place, of: id)
        guard retry.map({ !$0.chunk.isDone }) ?? !alone.isDone, !alone.sent.contains(0), !alone.settled.contains(0)
        else {
            return nil
        }
        if let retry, let place = retry.chunk.ordinals.place(of: ordinal) {
            var retry = retry.chunk
            retry.settled.insert(place)
            try setSettled(retry, in: session)
        }
        chunk.settled.insert(place)
        try setSettled(chunk, in: session)
        try insertWithdrawal(of: id, from: ordinal, at: now, in: session)
        let isUnderWay = retry?.isLeased ?? found.isLeased
        return isUnderWay ? nil : alone
    }

    private static func setSettled(_ chunk: Chunk, in session: any SQLSession) throws {
        try session.execute(
            """
            UPDATE chunk SET settled = \(chunk.settled.bytes) WHERE message = \(chunk.id.message) AND number =
                \(chunk.id.number)
            """
        )
    }

    private static func insertWithdrawal(
        of id: MessageID,
        from ordinal: DeviceOrdinal,
        at now: Date,
        in session: any SQLSession
    ) throws {
        let event = JourneyEvent.service(.withdrawn, at: now)
        try session.insert([JourneyEntry(message: id, ordinal: ordinal, event: event)])
    }

    /// Ends a custom message, unless it has already expired.
    private static func withdrawCustomMessage(_ id: MessageID, at now: Date, in session: any SQLSession) throws {
        try session.execute("DELETE FROM customMessage WHERE message = \(id)")
        try session.execute(
            """
            UPDATE chunk SET problem = \(JourneyEvent.service(.withdrawn, at: now).json.text), updatedAt = \(now)
            WHERE message = \(id) AND kind IN ('message', 'inApp') AND problem IS NULL AND \(now) <
                (SELECT acceptedAt + 1000 * timeToLive FROM message WHERE id = chunk.message)
            """
        )
    }

    /// Ends one custom message of a batch, unless it has already expired.
    private static func withdrawCustomMessage(
        _ id: MessageID,
        place: Int,
        of batch: Chunk,
        acceptedWith row: MessageRow,
        at now: Date,
        in session: any SQLSession
    ) throws {
        var batch = batch
        let timeToLive = try session.number("SELECT timeToLive FROM message WHERE id = \(row.id)")
        guard now.milliseconds < row.acceptedAt + 1000 * timeToLive, !batch.settled.contains(place) else { return }
        batch.settled.insert(place)
        try setSettled(batch, in: session)
        try insertWithdrawal(of: id, from: batch.ordinals.ordinals[place], at: now, in: session)
    }
}
