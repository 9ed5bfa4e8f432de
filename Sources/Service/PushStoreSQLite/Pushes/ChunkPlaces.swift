import Foundation
import GRDB
import PushModel
import PushService
import PushStoreSQL

/// Finds the chunk of a device in a message by the device's ordinal, without reading the other chunks of the message.
///
/// The initial chunks of a message partition the devices of each kind in the order of the ordinals.
struct ChunkPlaces {
    /// The parts of a chunk that are needed to find a device in it.
    private struct Found {
        var number: Int
        var last: DeviceOrdinal
        /// Its ordinals in stored form, because usually only one is looked up.
        var packed: [UInt8]
        var settled: PlaceSet
    }

    private let later: Statement
    private let hasLater: Statement
    /// The id of the message's row.
    private let message: Int64
    /// The first chunk; nil if there is none.
    private let first: Row?
    private let isOnly: Bool

    init(of message: Int64, in database: Database) throws {
        self.message = message
        later = try database.cachedStatement(sql: Self.laterSQL)
        hasLater = try database.cachedStatement(sql: Self.hasLaterSQL)
        first = try Row.fetchOne(database.cachedStatement(sql: Self.firstSQL), arguments: [message])
        let count = first.flatMap { $0["chunkCount"] as Int? }
        isOnly = count == 1
    }

    private static let columns = "number, kind, ordinals, firstOrdinal, lastOrdinal, settled"

    static let firstSQL = """
        SELECT \(columns), (SELECT chunkCount FROM message WHERE id = ?1) AS chunkCount FROM chunk
        WHERE message = ?1 AND number = 0
        UNION ALL SELECT \(columns), 1 FROM unstartedChunk WHERE message = ?1
        """
    /// The query for the last chunk of a kind, other than the first, that begins at the device or before it.
    static let laterSQL = """
        SELECT \(columns) FROM chunk WHERE message = ?1 AND kind = ?2 AND number > 0 AND firstOrdinal <= ?3
            AND number < coalesce((SELECT chunkCount FROM message WHERE id = ?1), 9223372036854775807)
        ORDER BY firstOrdinal DESC LIMIT 1
        """
    static let hasLaterSQL = "SELECT 1 FROM chunk WHERE message = ? AND kind = ? AND number > 0 LIMIT 1"

    /// Returns the chunks of a kind with some of the devices, in ascending order, and their places.
    func find(_ ordinals: [DeviceOrdinal], _ kind: Chunk.Kind) throws -> [FoundChunk] {
        var found: [FoundChunk] = []
        guard try has(kind) else { return found }
        var rest = ordinals[...]
        while let next = rest.first {
            guard let chunk = try candidate(next, kind) else {
                rest = rest.dropFirst()
                continue
            }
            let here = rest.prefix { $0 <= chunk.last }
            let list = OrdinalList(packed: chunk.packed)
            let new = FoundChunk(kind, number: chunk.number, settled: chunk.settled, of: list, having: here)
            if let new { found.append(new) }
            rest = rest.dropFirst(here.count)
        }
        return found
    }

    private func has(_ kind: Chunk.Kind) throws -> Bool {
        if let first, first["kind"] as String == kind.rawValue { return true }
        return try !isOnly && Row.fetchOne(hasLater, arguments: [message, kind.rawValue]) != nil
    }

    /// Returns the only chunk of a kind that can contain the device.
    private func candidate(_ ordinal: DeviceOrdinal, _ kind: Chunk.Kind) throws -> Found? {
        if let found = first.flatMap({ Self.read($0, of: kind, with: ordinal) }) { return found }
        guard !isOnly else { return nil }
        return try Row.fetchOne(later, arguments: [message, kind.rawValue, ordinal]).flatMap {
            Self.read($0, of: kind, with: ordinal)
        }
    }

    private static func read(_ row: Row, of kind: Chunk.Kind, with ordinal: DeviceOrdinal) -> Found? {
        let range: ClosedRange<DeviceOrdinal> = row["firstOrdinal"]...row["lastOrdinal"]
        guard row["kind"] as String == kind.rawValue, range.contains(ordinal) else { return nil }
        return Found(
            number: row["number"],
            last: range.upperBound,
            packed: Array(row["ordinals"] as Data),
            settled: PlaceSet(bytes: Array(row["settled"] as Data))
        )
    }
}
