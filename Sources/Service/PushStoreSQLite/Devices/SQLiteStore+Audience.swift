import Foundation
import GRDB
import PushModel
package import PushService
import PushStoreSQL

/// The scan of all devices at start, which should read a million devices within a second.
extension SQLiteStore {
    /// The number of rows passed on together.
    private static let batch = 8192

    /// Devices of one app with consecutive ordinals.
    private struct Part {
        var app: App.ID
        var ordinals: Range<DeviceOrdinal>
    }

    package func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        // The size is small enough that no reader is left alone with the last part for long.
        try await audience(atOnce: 65_536, each)
    }

    /// `atOnce`: the number of ordinals that a reader takes at a time.
    func audience(atOnce size: DeviceOrdinal, _ each: @escaping @Sendable (AudienceRows) -> Void) async throws {
        var turns = try await read { try Self.turns(of: size, in: $0) }.makeIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func readNext() {
                guard let parts = turns.next() else { return }
                group.addTask { [self] in try await read(parts, each) }
            }
            // Readers run in parallel; GRDB has five connections for them.
            for _ in 0..<min(4, ProcessInfo.processInfo.activeProcessorCount) { readNext() }
            while try await group.next() != nil { readNext() }
        }
    }

    /// Returns the work units of readers: a part of a large app, or several small apps.
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
        try await read { [damage] database in
            let statement = try database.makeStatement(
                sql: """
                    SELECT \(DeviceColumn.audience) FROM device WHERE app = ? AND ordinal >= ? AND ordinal < ?
                    ORDER BY ordinal
                    """
            )
            let row = DeviceRow(statement)
            for part in parts {
                try statement.setArguments([part.app, part.ordinals.lowerBound, part.ordinals.upperBound])
                var rows = AudienceRows(app: part.app)
                while try row.step() {
                    // A device is usable without the tags that cannot be read.
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
