import Foundation
import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

/// The scan of all devices at start.
extension PostgresStore {
    /// The number of rows passed on together.
    private static let batch = 8192
    /// The number of ordinals that a reader takes at a time; the rows are in memory at once, about 300 bytes each.
    private static let part: Int64 = 32_768
    private static let readers = 4

    private struct Part {
        var app: App.ID
        var first: Int64
    }

    package func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        let parts = try await readOnce { connection in
            try connection.execute(
                """
                SELECT app.id, last.ordinal FROM app
                CROSS JOIN LATERAL (
                    SELECT ordinal FROM device WHERE device.app = app.id ORDER BY ordinal DESC LIMIT 1
                ) AS last ORDER BY app.id
                """
            ).flatMap { row in
                stride(from: 0, through: row.int64(1), by: Int(Self.part)).map { first in
                    Part(app: App.ID(truncatingIfNeeded: row.int64(0)), first: first)
                }
            }
        }
        var rest = parts.makeIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func readNext() {
                guard let part = rest.next() else { return }
                group.addTask { [self] in try await read(part, each) }
            }
            for _ in 0..<Self.readers { readNext() }
            while try await group.next() != nil { readNext() }
        }
    }

    private func read(_ part: Part, _ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        try await readOnce { [damaged] connection in
            let found = try connection.execute(
                """
                SELECT \(DeviceColumn.audience) FROM device WHERE app = $1 AND ordinal >= $2 AND ordinal < $3
                ORDER BY ordinal
                """,
                .app(part.app),
                .int64(part.first),
                .int64(part.first + Self.part)
            )
            var rows = AudienceRows(app: part.app)
            for row in found {
                // A device is usable without the tags that cannot be read.
                do { try rows.add(row) } catch let error as CorruptRow {
                    damaged("device \(row.ordinal(DeviceColumn.ordinal.rawValue)) of app \(part.app): \(error)")
                }
                guard rows.count == Self.batch else { continue }
                each(rows)
                rows.removeAll()
            }
            each(rows)
        }
    }
}
