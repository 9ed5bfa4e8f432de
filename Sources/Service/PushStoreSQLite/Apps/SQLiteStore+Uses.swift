import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    /// The number of devices in one row of bits.
    private static let page: DeviceOrdinal = 4096

    package func note(_ note: UseNote, of ordinals: [DeviceOrdinal], app: App.ID) async throws {
        try await writes.write { try Self.note(note, of: ordinals, app: app, in: $0) }
    }

    static func note(_ note: UseNote, of ordinals: [DeviceOrdinal], app: App.ID, in database: Database) throws {
        let read = try database.cachedStatement(
            sql: "SELECT devices FROM deviceUse WHERE app = ? AND unit = ? AND time = ? AND measure = ? AND page = ?"
        )
        let write = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO deviceUse (app, unit, time, measure, page, devices) VALUES (?, ?, ?, ?, ?, ?)
                """
        )
        for (page, ordinals) in Dictionary(grouping: ordinals, by: { $0 / Self.page }) {
            for (unit, time) in note.times {
                for measure in note.measures {
                    let key: StatementArguments = [app, unit.rawValue, time, measure.rawValue, page]
                    let old = PlaceSet(bytes: try Data.fetchOne(read, arguments: key).map { Array($0) } ?? [])
                    var devices = old
                    for ordinal in ordinals { devices.insert(Int(ordinal % Self.page)) }
                    if devices != old { try write.execute(arguments: key + [Data(devices.bytes)]) }
                }
            }
        }
    }

    package func uses(
        of app: App.ID,
        _ unit: ReportUnit,
        from first: String,
        through last: String
    ) async throws -> [String: [UseMeasure: Int]] {
        try await read { database in
            var uses: [String: [UseMeasure: Int]] = [:]
            func add(_ count: Int, _ row: Row) {
                guard let measure = UseMeasure(rawValue: row["measure"]) else { return }
                uses[row["time"], default: [:]][measure, default: 0] += count
            }
            let arguments: StatementArguments = [app, unit.rawValue, first, last]
            let clause = "WHERE app = ? AND unit = ? AND time BETWEEN ? AND ?"
            let pages = try Row.fetchCursor(
                database,
                sql: "SELECT time, measure, devices FROM deviceUse \(clause)",
                arguments: arguments
            )
            while let row = try pages.next() { add((row["devices"] as Data).bitCount, row) }
            let counts = try Row.fetchCursor(
                database,
                sql: "SELECT time, measure, count FROM deviceUseCount \(clause)",
                arguments: arguments
            )
            while let row = try counts.next() { add(row["count"], row) }
            return uses
        }
    }

    package func closeUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool {
        try await writes.write { database in
            var left = limit
            for app in try App.ID.fetchAll(database, sql: "SELECT id FROM app ORDER BY id") where left > 0 {
                for (unit, time) in times where left > 0 {
                    left -= try Self.close(unit, before: time, of: app, limit: left, in: database)
                }
            }
            return left <= 0
        }
    }

    /// - Returns: the number of rows of bits that were added to a count.
    private static func close(
        _ unit: ReportUnit,
        before time: String,
        of app: App.ID,
        limit: Int,
        in database: Database
    ) throws -> Int {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM deviceUse WHERE app = ? AND unit = ? AND time < ? LIMIT ?",
            arguments: [app, unit.rawValue, time, limit]
        )
        for row in rows {
            let key: StatementArguments = [app, unit.rawValue, row["time"] as String, row["measure"] as String]
            try database.cachedStatement(
                sql: """
                    INSERT INTO deviceUseCount (app, unit, time, measure, count) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """
            ).execute(arguments: key + [(row["devices"] as Data).bitCount])
            try database.cachedStatement(
                sql: "DELETE FROM deviceUse WHERE app = ? AND unit = ? AND time = ? AND measure = ? AND page = ?"
            ).execute(arguments: key + [row["page"] as Int64])
        }
        return rows.count
    }

    package func deleteUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool {
        try await writes.write { database in
            var left = limit
            for (unit, time) in times where left > 0 {
                try database.execute(
                    sql: """
                        DELETE FROM deviceUseCount WHERE (app, unit, time, measure) IN (
                            SELECT app, unit, time, measure FROM deviceUseCount WHERE unit = ? AND time < ? LIMIT ?
                        )
                        """,
                    arguments: [unit.rawValue, time, left]
                )
                left -= database.changesCount
            }
            return left == 0
        }
    }
}
