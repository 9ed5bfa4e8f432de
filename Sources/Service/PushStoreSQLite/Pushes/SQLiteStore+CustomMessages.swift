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
            var deliveries = try SingleDeliveries(at: date, in: database)
            let session = SQLiteSession(database: database)
            for (message, ordinals) in acknowledgements.deliveries {
                guard ordinals.count == 1, let ordinal = ordinals.first,
                    try deliveries.count(message, to: ordinal)
                else {
                    try session.countDeliveries(of: message, to: ordinals.sorted(), at: date)
                    continue
                }
                let notes = try CallbackNotes(message, in: session)
                try notes?.add(.delivered, of: [ordinal], in: .message, at: date.milliseconds, session)
            }
        }
    }
}

/// Sets the bits of devices that are alone in one of the first two chunks, the usual case of a push to a single device.
private struct SingleDeliveries: ~Copyable {
    private let database: Database
    private let date: Int64
    // Looked up once, because its text is long.
    private var report: StatementBinding

    init(at date: Date, in database: Database) throws {
        self.database = database
        self.date = date.milliseconds
        let report = try StatementBinding(
            """
            INSERT INTO chunkReport (message, number, received, displayed, clicked, at)
            SELECT message, number, x'01', x'', x'', ?3 FROM chunk
            WHERE message = ?1 AND number < 2 AND kind = 'message' AND firstOrdinal = ?2 AND lastOrdinal = ?2
            ON CONFLICT DO UPDATE SET received = x'01', at = max(at, excluded.at) WHERE received <> x'01'
            """,
            in: database
        )
        self.report = report
    }

    /// Sets the bit of a device.
    ///
    /// - Returns: false if the device is not alone in such a chunk, or the bit is already set.
    mutating func count(_ message: MessageID, to ordinal: DeviceOrdinal) throws -> Bool {
        report.bind(message.number)
        report.bind(Int64(ordinal))
        report.bind(date)
        try report.execute(in: database)
        return database.changesCount > 0
    }
}
