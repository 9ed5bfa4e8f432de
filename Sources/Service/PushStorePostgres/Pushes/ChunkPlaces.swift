import PostgresClient
import PushModel
import PushService
import PushStoreSQL

/// Finds the chunks of devices in a message by the devices' ordinals, without reading the other chunks of the message.
struct ChunkPlaces {
    private let connection: PostgresConnection
    /// The id of the message's row.
    private let message: Int64

    init(of message: Int64, in connection: PostgresConnection) {
        self.message = message
        self.connection = connection
    }

    /// Returns the initial chunks of a kind with some of the devices, in ascending order, and their places.
    func find(_ ordinals: [DeviceOrdinal], _ kind: Chunk.Kind) throws -> [FoundChunk] {
        guard let first = ordinals.first, let last = ordinals.last else { return [] }
        let rows = try connection.execute(
            """
            SELECT number, ordinals, firstOrdinal, lastOrdinal, settled FROM anyChunk
            WHERE message = $1 AND kind = $2 AND firstOrdinal <= $4 AND lastOrdinal >= $3
                AND number < (SELECT chunkCount FROM message WHERE id = $1)
                AND ($3 = $4 OR EXISTS (
                    SELECT 1 FROM unnest($5::bigint[]) AS asked (ordinal) WHERE ordinal BETWEEN firstOrdinal AND lastOrdinal
                ))
            ORDER BY number
            """,
            .int64(message),
            .text(kind.rawValue),
            .ordinal(first),
            .ordinal(last),
            .numbers(ordinals)
        )
        return rows.compactMap { row in
            let range = row.int64(2)...row.int64(3)
            return FoundChunk(
                kind,
                number: row.int(0),
                settled: row.places(4),
                of: row.ordinals(1),
                having: ordinals.filter { range.contains(Int64($0)) }
            )
        }
    }
}
