package import Foundation
package import PushModel
package import PushService

// Withdrawing pushes.
extension SQLStore {
    package func withdraw(
        _ id: MessageID,
        of app: App.ID,
        since date: Date,
        at now: Date,
        cidsSince: Date,
        storing pushes: @escaping @Sendable (WithdrawnPush) throws -> [PreparedPush]
    ) async throws -> Withdrawal? {
        try await change { [self] session in
            guard var ended = try session.end(id, of: app, since: date, at: now) else { return nil }
            var changes = [SQLAnnouncement.withdrawn(id)]
            if let voip = try session.voipPush(of: id), voip != id {
                ended += try session.end(voip, of: app, since: date, at: now) ?? []
                changes.append(.withdrawn(voip))
            }
            try session.announce(changes)
            guard let (message, chunks) = try session.message(id, of: app) else {
                return Withdrawal(ended: ended, pushes: [])
            }
            let push = WithdrawnPush(
                message: message,
                chunks: chunks,
                reaches: try session.reach(of: id, app: app),
                ended: ended,
                takeBacks: try session.takeBacks(of: id, on: nil),
                replacement: try session.replacement(of: id)
            )
            let new = try pushes(push)
            for push in new { try session.note(push, takingBack: id) }
            try store(new, cidsSince: cidsSince, in: session)
            return Withdrawal(ended: ended, pushes: new)
        }
    }
}

extension SQLSession {
    /// Ends the rest of one message.
    ///
    /// - Returns: the previous state of the ended chunks that no worker holds; nil if the app has sent no such message since `date`.
    fileprivate func end(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) throws -> [Chunk]? {
        guard let row = try MessageRow.find(id, in: self), row.app == app, row.acceptedAt >= date.milliseconds
        else { return nil }
        try unfold([row.id])
        // Waits for a lease or a checkpoint of the message.
        try lockRows("SELECT 1 FROM chunk WHERE message = \(row.id) ORDER BY number")
        if let place = row.place { return try withdraw(id, place: place, of: row, at: now).map { [$0] } ?? [] }
        let ended = try Chunk.read(
            "FROM chunk WHERE message = \(id) AND NOT isDone AND leaseOwner IS NULL ORDER BY number",
            in: self
        ).map(\.chunk)
        try withdrawCustomMessage(id, at: now)
        try execute(
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
    fileprivate func withdraw(_ id: MessageID, place: Int, of batch: MessageRow, at now: Date) throws -> Chunk? {
        let found = try Chunk.read("FROM chunk WHERE message = \(batch.id) AND number = 0", in: self).first
        guard let found else { return nil }
        var chunk = found.chunk
        guard chunk.kind.isForAPNs else {
            try withdrawCustomMessage(id, place: place, of: chunk, acceptedWith: batch, at: now)
            return nil
        }
        let ordinal = chunk.ordinals.ordinals[place]
        let retry = try Chunk.retry(of: ordinal, in: chunk.id.message, self)
        let alone = chunk.alone(at: place, of: id)
        guard retry.map({ !$0.chunk.isDone }) ?? !alone.isDone, !alone.sent.contains(0), !alone.settled.contains(0)
        else { return nil }
        if let retry, let place = retry.chunk.ordinals.place(of: ordinal) {
            var retry = retry.chunk
            retry.settled.insert(place)
            try setSettled(retry)
        }
        chunk.settled.insert(place)
        try setSettled(chunk)
        try insertWithdrawal(of: id, from: ordinal, at: now)
        let isUnderWay = retry?.isLeased ?? found.isLeased
        return isUnderWay ? nil : alone
    }

    fileprivate func setSettled(_ chunk: Chunk) throws {
        try execute(
            "UPDATE chunk SET settled = \(chunk.settled.bytes) WHERE message = \(chunk.id.message) AND number = \(chunk.id.number)"
        )
    }

    fileprivate func insertWithdrawal(of id: MessageID, from ordinal: DeviceOrdinal, at now: Date) throws {
        let event = JourneyEvent.service(.withdrawn, at: now)
        try insert([JourneyEntry(message: id, ordinal: ordinal, event: event)])
    }

    /// Ends a custom message, unless it has already expired.
    fileprivate func withdrawCustomMessage(_ id: MessageID, at now: Date) throws {
        try execute("DELETE FROM customMessage WHERE message = \(id)")
        try execute(
            """
            UPDATE chunk SET problem = \(JourneyEvent.service(.withdrawn, at: now).json.text), updatedAt = \(now)
            WHERE message = \(id) AND kind IN ('message', 'inApp') AND problem IS NULL AND \(now) <
                (SELECT acceptedAt + 1000 * timeToLive FROM message WHERE id = chunk.message)
            """
        )
    }

    /// Ends one custom message of a batch, unless it has already expired.
    fileprivate func withdrawCustomMessage(
        _ id: MessageID,
        place: Int,
        of batch: Chunk,
        acceptedWith row: MessageRow,
        at now: Date
    ) throws {
        var batch = batch
        let timeToLive = try number("SELECT timeToLive FROM message WHERE id = \(row.id)")
        guard now.milliseconds < row.acceptedAt + 1000 * timeToLive, !batch.settled.contains(place) else { return }
        batch.settled.insert(place)
        try setSettled(batch)
        try insertWithdrawal(of: id, from: batch.ordinals.ordinals[place], at: now)
    }
}
