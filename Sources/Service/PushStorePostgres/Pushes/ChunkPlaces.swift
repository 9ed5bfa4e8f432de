import PostgresClient
import PushModel
import PushService

/// Finds the chunks of devices in a message by the devices' ordinals, without reading the other chunks of the message.
struct ChunkPlaces {
    /// The parts of a chunk that are needed to find a device in it.
    struct Found {
        var number: Int
        var settled: PlaceSet
    }

    private let connection: PostgresConnection
    /// The id of the message's row.
    private let message: Int64

    init(of message: Int64, in connection: PostgresConnection) {
        self.message = message
        self.connection = connection
    }

    /// Returns the initial chunk of a kind with the device, and the device's place in it; nil if there is none.
    func find(_ ordinal: DeviceOrdinal, _ kind: Chunk.Kind) throws -> (chunk: Found, place: Int)? {
        try find([ordinal], kind).first.flatMap { found in found.places.first.map { (found.chunk, $0.place) } }
    }

    /// Returns the initial chunks of a kind with some of the devices, and their places.
    ///
    /// * `ordinals`: in ascending order.
    func find(
        _ ordinals: [DeviceOrdinal],
        _ kind: Chunk.Kind
    ) throws -> [(chunk: Found, places: [(ordinal: DeviceOrdinal, place: Int)])] {
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
            .int64s(ordinals.map { Int64($0) })
        )
        return rows.compactMap { row in
            let list = OrdinalList(packed: row.bytes(1))
            let range = row.int64(2)...row.int64(3)
            let places = ordinals.filter { range.contains(Int64($0)) }.compactMap { ordinal in
                list.place(of: ordinal).map { (ordinal: ordinal, place: $0) }
            }
            guard !places.isEmpty else { return nil }
            return (Found(number: Int(row.int64(0)), settled: PlaceSet(bytes: row.bytes(4))), places)
        }
    }
}
