package import Foundation
import PushModel
package import PushService

// The log of custom messages. Positions follow the order of commits: after a position has been read, nothing new appears before it.
extension SQLStore {
    package func lastCustomMessage() async throws -> Int64 { try await queryOnce { try $0.lastPosition() } }

    package func customMessages(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> [CustomMessageRecord] {
        try await query { session in
            let found = try session.rows(
                """
                SELECT position, customMessage.app, customMessage.message, body, lastID FROM customMessage
                JOIN message ON message.id = customMessage.message WHERE position > \(position) ORDER BY position LIMIT \(limit)
                """
            ) { LoggedMessage($0) }
            return try session.customMessages(found, audiencesOf: apps)
        }
    }

    package func deleteCustomMessages(expiredBefore date: Date, limit: Int) async throws -> Bool {
        try await execute(
            """
            DELETE FROM customMessage WHERE position IN (
                SELECT position FROM customMessage WHERE expiresAt < \(date) LIMIT \(limit)
            )
            """
        ) == limit
    }
}

extension SQLSession {
    /// Returns the last position, including those of deleted messages.
    package func lastPosition() throws -> Int64 {
        try number("\(raw: dialect.lastCustomMessage)")
    }

    /// Reads a message for each row of the log, with the audiences of some apps.
    package func customMessages(_ rows: [LoggedMessage], audiencesOf apps: Set<App.ID>) throws -> [CustomMessageRecord]
    {
        try rows.map { row in
            var record = row.record
            guard apps.contains(record.app) else { return record }
            if !row.isBatch {
                record.audience = try audience(of: record.message)
            } else {
                // A damaged message does not block others.
                do { record.batch = try batch(record.message) } catch is CorruptRow {
                    record.isUnreadable = true
                }
            }
            return record
        }
    }

    /// Returns the rest of a batch of custom messages.
    fileprivate func batch(_ id: MessageID) throws -> MessageBatch? {
        let settled = try first("SELECT settled FROM chunk WHERE message = \(id)") {
            PlaceSet(bytes: $0.bytes(0))
        }
        guard var batch = try Message.stored(id.number, in: self)?.batch, let settled else { return nil }
        batch.entries = batch.entries.enumerated().filter { !settled.contains($0.offset) }.map(\.element)
        return batch
    }

    fileprivate func audience(of message: MessageID) throws -> [OrdinalList] {
        try rows(
            "SELECT ordinals FROM chunk WHERE message = \(message) AND kind IN ('message', 'inApp') ORDER BY number"
        ) { OrdinalList(packed: $0.bytes(0)) }
    }
}

/// A row of the log with its message.
package struct LoggedMessage {
    var record: CustomMessageRecord
    var isBatch: Bool

    /// Reads position, app and message, its body, and the last id of a batch.
    package init(_ row: any SQLRow) {
        record = CustomMessageRecord(row)
        record.body = row.bytes(3)
        isBatch = !row.isNull(4)
    }
}

extension CustomMessageRecord {
    /// Reads position, app and message, in this order.
    init(_ row: any SQLRow) {
        self.init(position: row.int64(0), message: row.message(2), app: row.app(1), body: [])
    }
}
