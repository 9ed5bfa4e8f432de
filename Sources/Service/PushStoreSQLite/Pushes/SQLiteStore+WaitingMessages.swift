package import Foundation
import GRDB
import PushModel
package import PushService

// The messages for a device at login, and those that it has not received yet on its link.
extension SQLiteStore {
    package func waitingMessages(
        of device: DeviceID,
        acknowledgedThrough acknowledged: Int64,
        keptThrough kept: Int64?,
        limit: Int,
        at now: Date
    ) async throws -> WaitingMessages {
        try await read { database in
            let cursor = max(acknowledged, try Self.cursor(of: device, in: database))
            let through = try Self.lastPosition(in: database)
            // A cursor cannot be beyond what was sent.
            let kept = max(cursor, min(kept ?? 0, through))
            var found: [CustomMessageRecord] = []
            var had: [MessageID] = []
            if kept > cursor {
                try Self.find(device, from: cursor, through: kept, at: nil, in: database) { row in
                    had.append(MessageID(row["message"]))
                    return had.count < Self.keptAtOnce
                }
            }
            if limit > 0 {
                try Self.find(device, from: kept, through: through, at: now, in: database) { row in
                    found.append(CustomMessageRecord(row: row))
                    return found.count < limit
                }
            }
            for index in found.indices { try Self.read(&found[index], to: device, in: database) }
            return WaitingMessages(messages: found.reversed(), kept: had, through: through)
        }
    }

    package func heldMessages(
        of device: DeviceID,
        after position: Int64,
        limit: Int,
        at now: Date
    ) async throws -> HeldMessages {
        try await read { database in
            let end = try Self.lastPosition(in: database)
            var found: [CustomMessageRecord] = []
            try Self.find(device, from: position, through: end, at: now, oldestFirst: true, in: database) { row in
                found.append(CustomMessageRecord(row: row))
                return found.count < limit
            }
            for index in found.indices { try Self.read(&found[index], to: device, in: database) }
            let isAll = found.count < limit
            return HeldMessages(messages: found, through: isAll ? end : found.last?.position ?? end, isAll: isAll)
        }
    }

    /// Adds the message's content; in a batch, that of the push to the device. A damaged message adds nothing.
    private static func read(
        _ record: inout CustomMessageRecord,
        to device: DeviceID,
        in database: Database
    ) throws {
        let found: Message?
        do { found = try Message.read(record.logged.number, in: database) } catch is CorruptRow { return }
        guard var message = found else { return }
        if let batch = message.batch, let place = batch.entries.firstIndex(where: { $0.ordinal == device.ordinal }) {
            message = batch.message(at: place)
        }
        record.message = message.id
        record.body = message.body
    }

    /// The number of messages that a device may list at login, beyond those that it acknowledged.
    private static let keptAtOnce = 1000

    static func cursor(of device: DeviceID, in database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "SELECT position FROM messageCursor WHERE app = ? AND ordinal = ?"
        )
        return try Int64.fetchOne(statement, arguments: [device.app, device.ordinal]) ?? 0
    }

    /// Passes the messages for a device to `take` while it wants more, by default the newest first; `at` excludes those expired
    /// by then.
    private static func find(
        _ device: DeviceID,
        from first: Int64,
        through last: Int64,
        at now: Date?,
        oldestFirst: Bool = false,
        in database: Database,
        _ take: (Row) throws -> Bool
    ) throws {
        // Messages to a single device are found by its ordinal; the audience of each other one is checked.
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT position, app, message, onlyOrdinal, x'' AS body FROM customMessage
                    WHERE app = ?1 AND onlyOrdinal = ?2 AND position > ?3 AND position <= ?4 AND expiresAt > ?5
                    UNION ALL
                    SELECT position, app, message, onlyOrdinal, x'' AS body FROM customMessage
                    WHERE app = ?1 AND onlyOrdinal IS NULL AND position > ?3 AND position <= ?4 AND expiresAt > ?5
                    ORDER BY position \(oldestFirst ? "ASC" : "DESC")
                    """
            ),
            arguments: [device.app, device.ordinal, first, last, now?.milliseconds ?? Int64.min]
        )
        while let row = try rows.next() {
            if (row["onlyOrdinal"] as DeviceOrdinal?) == nil {
                guard try isMeant(device.ordinal, by: row["message"], in: database) else { continue }
            }
            guard try take(row.copy()) else { return }
        }
    }

    /// Returns whether the message is for the device and was not withdrawn from it.
    private static func isMeant(_ ordinal: DeviceOrdinal, by message: Int64, in database: Database) throws -> Bool {
        let chunks = try ChunkPlaces(of: message, in: database)
        for kind in Chunk.Kind.allCases where kind.isForLinks {
            if let (chunk, place) = try chunks.find(ordinal, kind), !chunk.settled.contains(place) { return true }
        }
        return false
    }
}
