import Foundation
import GRDB
import PushModel
package import PushService

/// The scan of all devices with which a service starts: a million of them are to be there within a second.
extension SQLiteStore {
    /// Rows that are handed over together.
    private static let batch = 8192

    /// Devices of one app with ordinals that follow each other.
    private struct Part {
        var app: App.ID
        var ordinals: Range<DeviceOrdinal>
    }

    package func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        // Not so many that one reader is long alone with the last ones.
        try await audience(atOnce: 65_536, each)
    }

    /// `atOnce`: how many ordinals a reader takes.
    func audience(atOnce size: DeviceOrdinal, _ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        var turns = try await database.read { try Self.turns(of: size, in: $0) }.makeIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func readNext() {
                guard let parts = turns.next() else { return }
                group.addTask { [self] in try await read(parts, each) }
            }
            // Readers do not disturb each other; GRDB has five connections for them.
            for _ in 0..<min(4, ProcessInfo.processInfo.activeProcessorCount) { readNext() }
            while try await group.next() != nil { readNext() }
        }
    }

    /// What readers take, one turn after the other: a piece of a large app, or several small apps.
    private static func turns(of size: DeviceOrdinal, in database: Database) throws -> [[Part]] {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, (SELECT max(ordinal) FROM device WHERE app = app.id) AS last FROM app ORDER BY id"
        )
        var turns: [[Part]] = []
        var room: DeviceOrdinal = 0
        while let row = try rows.next() {
            guard let last = row["last"] as DeviceOrdinal? else { continue }
            for start in stride(from: 0, through: last, by: Int(size)) {
                let count = min(size, last - start + 1)
                if room < count {
                    turns.append([])
                    room = size
                }
                room -= count
                turns[turns.count - 1].append(Part(app: row["id"], ordinals: start..<start + count))
            }
        }
        return turns
    }

    private func read(_ parts: [Part], _ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        try await database.read { [damage] database in
            let statement = try database.makeStatement(
                sql: """
                    SELECT \(DeviceRow.columns) FROM device WHERE app = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal
                    """
            )
            let row = DeviceRow(statement)
            for part in parts {
                try statement.setArguments([part.app, part.ordinals.lowerBound, part.ordinals.upperBound])
                var rows = AudienceRows(app: part.app)
                while try row.step() {
                    // Without the tags that cannot be read the device is as good as any.
                    try damage.readable("device \(row.ordinal) of app \(part.app)") { try row.read(into: &rows) }
                    guard rows.count == Self.batch else { continue }
                    each(rows)
                    rows.removeAll()
                }
                each(rows)
            }
        }
    }
}
