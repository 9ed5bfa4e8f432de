import Foundation
import GRDB
package import PushModel
package import PushService

// The events and facts of journeys.
extension SQLiteStore {
    package func record(_ events: [JourneyEntry]) async throws {
        try await writes.write { database in
            let known = try Self.known(Set(events.map(\.message)), in: database)
            // Events of a deleted message would stay forever.
            let events = events.filter { known.contains($0.message) }
            try Self.insert(events, into: database)
            try Self.count(events, in: database)
            try Self.noteEndings(events, in: database)
        }
    }

    /// Writes for callbacks that the gateway could not deliver: the time to live has ended, or a later push has taken the place.
    private static func noteEndings(_ events: [JourneyEntry], in database: Database) throws {
        for entry in events {
            switch entry.event.kind {
            case .expired, .coalesced: break
            default: continue
            }
            let notes = try CallbackNotes(entry.message.number, in: database)
            try notes?.add(.notDelivered, of: [entry.ordinal], in: .send, at: entry.event.date.milliseconds, database)
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

    static func insert(_ events: [JourneyEntry], into database: Database) throws {
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
        try await read { database -> JourneyFacts? in
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
    init?(row: Row) {
        guard let reason = PauseReason(rawValue: row["reason"]) else { return nil }
        self.init(reason: reason, detail: row["detail"], until: Date(milliseconds: row["until"]))
    }
}
