import Foundation
import GRDB
import PushModel
package import PushService

/// The scan of all devices with which a service starts: a million of them are to be there within a second.
extension SQLiteStore {
    /// Rows that are handed over together.
    private static let batch = 8192

    /// Devices of one app that are read in one go.
    private struct Part {
        var app: App.ID
        var ordinals: Range<DeviceOrdinal>
    }

    package func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        // Not so many devices that one reader is long alone with the last part.
        try await audience(partSize: 65_536, each)
    }

    /// `partSize`: in ordinals.
    func audience(partSize: DeviceOrdinal, _ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        var parts = try await database.read { try Self.parts(of: partSize, in: $0) }.makeIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func readNext() {
                guard let part = parts.next() else { return }
                group.addTask { [self] in try await read(part, each) }
            }
            // Readers do not disturb each other; GRDB has five connections for them.
            for _ in 0..<min(4, ProcessInfo.processInfo.activeProcessorCount) { readNext() }
            while try await group.next() != nil { readNext() }
        }
    }

    private static func parts(of size: DeviceOrdinal, in database: Database) throws -> [Part] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT id, (SELECT max(ordinal) FROM device WHERE app = app.id) AS last FROM app ORDER BY id"
        )
        return rows.flatMap { row -> [Part] in
            guard let last = row["last"] as DeviceOrdinal? else { return [] }
            return (0...last / size).map { Part(app: row["id"], ordinals: $0 * size..<($0 + 1) * size) }
        }
    }

    private func read(_ part: Part, _ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        try await database.read { database in
            let statement = try database.makeStatement(
                sql: """
                    SELECT \(DeviceRow.columns) FROM device WHERE app = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal
                    """
            )
            try statement.setArguments([part.app, part.ordinals.lowerBound, part.ordinals.upperBound])
            let row = DeviceRow(statement)
            var rows = AudienceRows(app: part.app)
            while try row.step() {
                try row.read(into: &rows)
                guard rows.count == Self.batch else { continue }
                each(rows)
                rows.removeAll()
            }
            each(rows)
        }
    }
}
