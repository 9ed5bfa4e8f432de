package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]? {
        try await writes.write { database in
            guard let row = try MessageRow.find(id, in: database), row.app == app,
                row.acceptedAt >= date.milliseconds
            else { return nil }
            try Self.unfold(row.id, in: database)
            if let place = row.place {
                return try Self.withdraw(id, place: place, of: row, at: now, in: database).map { [$0] } ?? []
            }
            let ended = try Self.chunks(
                "FROM chunk WHERE message = ? AND isDone = 0 AND leaseOwner IS NULL ORDER BY number",
                [id.number],
                in: database
            ).map(\.chunk)
            try Self.withdrawCustomMessage(id, at: now, in: database)
            let problem = JourneyEvent.service(.withdrawn, at: now).json.text
            try database.execute(
                sql: "UPDATE chunk SET isDone = 1, problem = ?, updatedAt = ? WHERE message = ? AND isDone = 0",
                arguments: [problem, now.milliseconds, id.number]
            )
            return ended
        }
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
        try insert([JourneyException(message: id, ordinal: ordinal, event: event)], into: database)
        let isUnderWay = retry?.isLeased ?? found.isLeased
        return isUnderWay ? nil : part
    }

    /// Returns the chunk in which a device is retried; nil if there is none.
    private static func retry(
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

    package func record(_ events: [JourneyException]) async throws {
        try await writes.write { database in
            let known = try Self.known(Set(events.map(\.message)), in: database)
            // Events of a deleted message would stay forever.
            let events = events.filter { known.contains($0.message) }
            try Self.insert(events, into: database)
            try Self.count(events, in: database)
        }
    }

    private static func known(_ messages: Set<MessageID>, in database: Database) throws -> Set<MessageID> {
        try messages.filter { message in
            // A damaged batch is skipped; otherwise all other reports would wait for it forever.
            let row: MessageRow?
            do { row = try MessageRow.find(message, in: database) } catch is CorruptRow { return false }
            guard let row else { return false }
            return try deletion(of: message, app: row.app, in: database) == nil
        }
    }

    static func insert(_ events: [JourneyException], into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO journeyEvent (message, ordinal, at, event) VALUES (?, ?, ?, ?)"
        )
        for exception in events {
            let event = exception.event
            try statement.execute(arguments: [
                exception.message.number, exception.ordinal, event.date.milliseconds, event.json.text,
            ])
        }
    }

    static func insert(_ events: [StepEvent], into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO stepEvent (message, at, event, firstOrdinal, lastOrdinal, ordinals) VALUES (?, ?, ?, ?, ?, ?)
                """
        )
        for event in events {
            try statement.execute(arguments: [
                event.message.number, event.event.date.milliseconds, event.event.json.text, event.ordinals.first,
                event.ordinals.last, Data(OrdinalList(event.ordinals).packed),
            ])
        }
    }

    /// Returns the events of a device, both shared with others and its own.
    private static func events(
        of message: MessageID,
        in row: MessageRow,
        to ordinal: DeviceOrdinal,
        _ database: Database
    ) throws -> [JourneyEvent] {
        let own = try Row.fetchAll(
            database,
            sql: "SELECT at, event FROM journeyEvent WHERE message = ? AND ordinal = ? ORDER BY at, rowid",
            arguments: [message.number, ordinal]
        )
        let shared = try Row.fetchAll(
            database,
            sql: """
                SELECT at, event, ordinals FROM stepEvent WHERE message = ?1 AND firstOrdinal <= ?2 AND lastOrdinal >= ?2
                ORDER BY at, rowid
                """,
            arguments: [row.id, ordinal]
        ).filter { OrdinalList.place(of: ordinal, packed: Array($0["ordinals"] as Data)) != nil }
        // The sort keeps the order of simultaneous events.
        return try (own + shared).enumerated()
            .sorted { ($0.element["at"] as Int64, $0.offset) < ($1.element["at"] as Int64, $1.offset) }
            .map { try JourneyEvent(stored: $0.element["event"]) }
    }

    package func journey(of message: MessageID, to ordinal: DeviceOrdinal) async throws -> JourneyFacts? {
        try await database.read { database -> JourneyFacts? in
            guard let place = try MessageRow.find(message, in: database),
                try Self.deletion(of: message, app: place.app, in: database) == nil,
                var stored = try StoredMessage.read(place.id, in: database)
            else { return nil }
            // A damaged batch still has its dates.
            do { try stored.addPushes(in: database) } catch is CorruptRow {}
            let host = stored.message
            let chunks = try Self.chunks(
                "FROM anyChunk WHERE message = ?1 AND firstOrdinal <= ?2 AND lastOrdinal >= ?2 AND kind <> 'retry'",
                [place.id, Int64(ordinal)],
                in: database
            ).map(\.chunk)
            var message = host
            if let batch = host.batch, let place = place.place {
                message = batch.message(at: place)
            }
            let events = try Self.events(of: message.id, in: place, to: ordinal, database)
            let retry = try Self.retry(of: ordinal, in: MessageID(place.id), database)?.chunk
            let pause = try Row.fetchOne(
                database,
                sql: "SELECT * FROM pause WHERE app = ? AND environment = ?",
                arguments: [message.app, message.environment.rawValue]
            )
            func isMeant(_ chunk: Chunk) -> Bool {
                guard let found = chunk.ordinals.place(of: ordinal) else { return false }
                return place.place.map { $0 == found } ?? true
            }
            func part(_ chunk: Chunk) -> Chunk { place.place.map { chunk.part(at: $0, of: message.id) } ?? chunk }
            let device = DeviceID(app: message.app, ordinal: ordinal)
            let notification = chunks.first { !$0.kind.isForLinks && isMeant($0) }.map(part)
            let custom = try chunks.first { $0.kind.isForLinks && isMeant($0) }.map { chunk in
                // Its state is stored for the whole chunk.
                var custom = try Self.custom(of: device, chunk, in: database)
                custom.chunk = part(chunk)
                return custom
            }
            let receipts = try notification.flatMap { try Self.receipts(of: device, in: $0, database) }
            return JourneyFacts(
                message: message,
                chunk: notification,
                retry: retry,
                receipts: receipts?.bits ?? [],
                receiptsAt: receipts?.date,
                custom: custom,
                events: events,
                pause: pause.flatMap(Pause.init(row:))
            )
        }
    }
}

extension Pause {
    fileprivate init?(row: Row) {
        guard let reason = PauseReason(rawValue: row["reason"]) else { return nil }
        self.init(reason: reason, detail: row["detail"], until: Date(milliseconds: row["until"]))
    }
}
