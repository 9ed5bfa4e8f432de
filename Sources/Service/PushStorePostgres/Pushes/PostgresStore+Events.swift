import PostgresClient
import PushModel
import PushService

// The events of checkpoints and reports.
extension PostgresStore {
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
}
