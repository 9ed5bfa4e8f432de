import Foundation
import PostgresClient
package import PushModel
package import PushService

// The events and facts of journeys.
extension PostgresStore {
    package func record(_ events: [JourneyEntry]) async throws {
        try await write { session -> Void in
            let known = try Self.known(Set(events.map(\.message)), in: session.connection)
            // Events of a deleted message would stay forever.
            let events = events.filter { known.contains($0.message) }
            try session.connection.pipeline { try Self.insert(events, to: $0) }
            try Self.count(events, in: session)
            try Self.noteEndings(events, in: session)
        }
    }

    /// Writes for callbacks that the gateway could not deliver: the time to live has ended, or a later push has taken the place.
    private static func noteEndings(_ events: [JourneyEntry], in session: StoreSession) throws {
        for entry in events {
            switch entry.event.kind {
            case .expired, .coalesced: break
            default: continue
            }
            let notes = try CallbackNotes(entry.message, in: session)
            try notes?.add(.notDelivered, of: [entry.ordinal], in: .send, at: entry.event.date.milliseconds, session)
        }
    }

    private static func known(_ messages: Set<MessageID>, in connection: PostgresConnection) throws -> Set<MessageID> {
        try messages.filter { message in
            // A damaged batch is skipped; otherwise all other reports would wait for it forever.
            let row: MessageRow?
            do { row = try MessageRow.find(message, in: connection) } catch is CorruptRow { return false }
            guard let row else { return false }
            return try deletion(of: message, app: row.app, in: connection) == nil
        }
    }

    /// Writes events of single devices, each once.
    static func insert(_ events: [JourneyEntry], to pipeline: StatementList) throws {
        guard !events.isEmpty else { return }
        pipeline.add(
            """
            INSERT INTO journeyEvent (message, ordinal, at, event)
            SELECT message, ordinal, at, event FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])
                WITH ORDINALITY AS row (message, ordinal, at, event, place) ORDER BY place
            ON CONFLICT (message, ordinal, md5(event)) DO NOTHING
            """,
            .int64s(events.map(\.message.number)),
            .int64s(events.map { Int64($0.ordinal) }),
            .int64s(events.map { $0.event.date.milliseconds }),
            .texts(events.map { $0.event.json.text })
        )
    }

    /// Writes events that several devices share.
    static func insert(_ events: [StepEvent], to pipeline: StatementList) throws {
        guard !events.isEmpty else { return }
        pipeline.add(
            """
            INSERT INTO stepEvent (message, at, event, firstOrdinal, lastOrdinal, ordinals)
            SELECT message, at, event, firstOrdinal, lastOrdinal, ordinals
            FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bytea[])
                WITH ORDINALITY AS row (message, at, event, firstOrdinal, lastOrdinal, ordinals, place) ORDER BY place
            """,
            .int64s(events.map(\.message.number)),
            .int64s(events.map { $0.event.date.milliseconds }),
            .texts(events.map { $0.event.json.text }),
            .int64s(events.map { Int64($0.ordinals.first ?? 0) }),
            .int64s(events.map { Int64($0.ordinals.last ?? 0) }),
            .byteArrays(events.map { OrdinalList($0.ordinals).packed })
        )
    }

    /// Returns the events of a device, both shared with others and its own.
    private static func events(
        of message: MessageID,
        in row: MessageRow,
        to ordinal: DeviceOrdinal,
        _ connection: PostgresConnection
    ) throws -> [JourneyEvent] {
        let own = try connection.execute(
            "SELECT at, event FROM journeyEvent WHERE message = $1 AND ordinal = $2 ORDER BY at, number",
            .message(message),
            .ordinal(ordinal)
        ).map { (at: $0.int64(0), event: $0.text(1)) }
        let shared = try connection.execute(
            """
            SELECT at, event, ordinals FROM stepEvent WHERE message = $1 AND firstOrdinal <= $2 AND lastOrdinal >= $2
            ORDER BY at, number
            """,
            .int64(row.id),
            .ordinal(ordinal)
        ).filter { OrdinalList.place(of: ordinal, packed: $0.bytes(2)) != nil }.map {
            (at: $0.int64(0), event: $0.text(1))
        }
        // The sort keeps the order of simultaneous events.
        return try (own + shared).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { try JourneyEvent(stored: $0.element.event) }
    }

    package func journey(of message: MessageID, to ordinal: DeviceOrdinal) async throws -> JourneyFacts? {
        try await read { connection -> JourneyFacts? in
            guard let place = try MessageRow.find(message, in: connection),
                try Self.deletion(of: message, app: place.app, in: connection) == nil,
                // A damaged batch still has its dates.
                let host = try StoredMessage.readable(place.id, in: connection)
            else { return nil }
            let chunks = try Chunk.read(
                "FROM anyChunk WHERE message = $1 AND firstOrdinal <= $2 AND lastOrdinal >= $2 AND kind <> 'retry' ORDER BY number",
                [place.id, Int64(ordinal)],
                in: connection
            ).map(\.chunk)
            var message = host
            if let batch = host.batch, let place = place.place { message = batch.message(at: place) }
            func isMeant(_ chunk: Chunk) -> Bool {
                guard let found = chunk.ordinals.place(of: ordinal) else { return false }
                return place.place.map { $0 == found } ?? true
            }
            func part(_ chunk: Chunk) -> Chunk { place.place.map { chunk.part(at: $0, of: message.id) } ?? chunk }
            let device = DeviceID(app: message.app, ordinal: ordinal)
            let notification = chunks.first { !$0.kind.isForLinks && isMeant($0) }.map(part)
            let custom = try chunks.first { $0.kind.isForLinks && isMeant($0) }.map { chunk in
                // Its state is stored for the whole chunk.
                var custom = try Self.custom(of: device, chunk, in: connection)
                custom.chunk = part(chunk)
                return custom
            }
            let receipts = try notification.flatMap { try Self.receipts(of: device, in: $0, connection) }
            return JourneyFacts(
                message: message,
                chunk: notification,
                retry: try Self.retry(of: ordinal, in: MessageID(place.id), connection)?.chunk,
                receipts: receipts?.bits ?? [],
                receiptsAt: receipts?.date,
                custom: custom,
                events: try Self.events(of: message.id, in: place, to: ordinal, connection),
                pause: try Self.pause(of: message, in: connection)
            )
        }
    }

    private static func pause(of message: Message, in connection: PostgresConnection) throws -> Pause? {
        let rows = try connection.execute(
            "SELECT reason, detail, until FROM pause WHERE app = $1 AND environment = $2",
            .app(message.app),
            .text(message.environment.rawValue)
        )
        guard let row = rows.first, let reason = PauseReason(rawValue: row.text(0)) else { return nil }
        return Pause(reason: reason, detail: row.text(1), until: row.date(2))
    }

    package func exceptions(of id: MessageID, limit: Int) async throws -> MessageExceptions {
        try await read { connection in
            var found = MessageExceptions(events: [], isComplete: true)
            guard let row = try MessageRow.find(id, in: connection) else { return found }
            let own = try connection.execute(
                "SELECT ordinal, event FROM journeyEvent WHERE message = $1 ORDER BY number LIMIT $2",
                .message(id),
                .int64(Int64(limit + 1))
            )
            for event in own {
                let ordinal = DeviceOrdinal(truncatingIfNeeded: event.int64(0))
                found.events.append((try JourneyEvent(stored: event.text(1)).kind, [ordinal]))
            }
            let shared = try connection.execute(
                "SELECT event, ordinals FROM stepEvent WHERE message = $1 ORDER BY number LIMIT $2",
                .int64(row.id),
                .int64(Int64(limit + 1))
            )
            for event in shared {
                let ordinals = OrdinalList(packed: event.bytes(1)).ordinals
                found.events.append((try JourneyEvent(stored: event.text(0)).kind, ordinals))
            }
            found.isComplete = own.count <= limit && shared.count <= limit
            return found
        }
    }

    package func voipPush(of message: MessageID) async throws -> MessageID? {
        try await readOnce { try Self.voipPush(of: message, in: $0) }
    }

    package func origin(ofVoIPPush message: MessageID) async throws -> MessageID? {
        try await readOnce { try Self.origin(ofVoIPPush: message, in: $0) }
    }

    static func voipPush(of message: MessageID, in connection: PostgresConnection) throws -> MessageID? {
        try connection.execute("SELECT voip FROM voipPush WHERE message = $1", .message(message)).first.map {
            MessageID($0.int64(0))
        }
    }

    /// Returns the push that a VoIP push stands beside; nil if the message is no VoIP push, or stands alone.
    static func origin(ofVoIPPush message: MessageID, in connection: PostgresConnection) throws -> MessageID? {
        try connection.execute("SELECT message FROM voipPush WHERE voip = $1 AND message <> $1", .message(message))
            .first.map { MessageID($0.int64(0)) }
    }
}
