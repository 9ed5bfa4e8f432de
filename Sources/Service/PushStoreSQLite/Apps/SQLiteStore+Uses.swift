import Foundation
import GRDB
import PushModel
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
}
