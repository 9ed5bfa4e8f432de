package import Foundation
import GRDB
import PushModel
package import PushService
import PushStoreSQL

// The log of custom messages.
extension SQLiteStore {
    package func leaveOutPositions(through position: Int64) async throws {
        try await writes.writeFirst { database in
            let session = SQLiteSession(database: database)
            guard try session.lastPosition() < position else { return }
            try session.execute("DELETE FROM sqlite_sequence WHERE name = 'customMessage'")
            try session.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('customMessage', \(position))")
        }
    }

    package func record(_ acknowledgements: Acknowledgements, at date: Date) async throws {
        try await writes.write { database in
            var cursors = try StatementBinding(
                """
                INSERT INTO messageCursor (app, ordinal, position)
                SELECT app, ordinal, ?3 FROM device WHERE app = ?1 AND ordinal = ?2
                ON CONFLICT DO UPDATE SET position = max(position, excluded.position)
                """,
                in: database
            )
            // Neighbouring rows share a page.
            for (device, position) in acknowledgements.cursors.sorted(by: { $0.key.ordinal < $1.key.ordinal }) {
                cursors.bind(Int64(device.app))
                cursors.bind(Int64(device.ordinal))
                cursors.bind(position)
                try cursors.execute(in: database)
            }
            for (message, ordinals) in acknowledgements.deliveries {
                try Self.countDeliveries(of: message, to: ordinals, at: date, in: database)
            }
        }
    }

    /// Sets the bits of devices that have received a message of the log.
    private static func countDeliveries(
        of message: MessageID,
        to ordinals: Set<DeviceOrdinal>,
        at date: Date,
        in database: Database
    ) throws {
        let session = SQLiteSession(database: database)
        if ordinals.count == 1, let ordinal = ordinals.first {
            guard try !countDelivery(of: message, toOnly: ordinal, at: date, in: database) else {
                let notes = try CallbackNotes(message, in: session)
                try notes?.add(.delivered, of: [ordinal], in: .message, at: date.milliseconds, session)
                return
            }
        }
        try session.countDeliveries(of: message, to: ordinals.sorted(), at: date)
    }

    /// Sets the bit of a device that is alone in one of the first two chunks, the usual case of a push to a single device.
    ///
    /// - Returns: false if there is no such chunk, or the bit is already set.
    private static func countDelivery(
        of message: MessageID,
        toOnly ordinal: DeviceOrdinal,
        at date: Date,
        in database: Database
    ) throws -> Bool {
        var report = try StatementBinding(
            """
            INSERT INTO chunkReport (message, number, received, displayed, clicked, at)
            SELECT message, number, x'01', x'', x'', ?3 FROM chunk
            WHERE message = ?1 AND number < 2 AND kind = 'message' AND firstOrdinal = ?2 AND lastOrdinal = ?2
            ON CONFLICT DO UPDATE SET received = x'01', at = max(at, excluded.at) WHERE received <> x'01'
            """,
            in: database
        )
        report.bind(message.number)
        report.bind(Int64(ordinal))
        report.bind(date.milliseconds)
        try report.execute(in: database)
        return database.changesCount > 0
    }
}
