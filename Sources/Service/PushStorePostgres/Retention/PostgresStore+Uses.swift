import PostgresClient
import PushModel
package import PushService

// The devices in use, by period.
extension PostgresStore {
    /// The number of devices in one row of bits.
    private static let usePage: DeviceOrdinal = 4096

    package func note(_ note: UseNote, of ordinals: [DeviceOrdinal], app: App.ID) async throws {
        try await write { try Self.note(note, of: ordinals, app: app, in: $0.connection) }
    }

    static func note(
        _ note: UseNote,
        of ordinals: [DeviceOrdinal],
        app: App.ID,
        in connection: PostgresConnection
    ) throws {
        let pages = Dictionary(grouping: ordinals, by: { $0 / Self.usePage })
        for (page, ordinals) in pages.sorted(by: { $0.key < $1.key }) {
            for (unit, time) in note.times.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                for measure in note.measures.sorted(by: { $0.rawValue < $1.rawValue }) {
                    let key: [PostgresValue] = [
                        .app(app), .text(unit.rawValue), .text(time), .text(measure.rawValue), .int64(Int64(page)),
                    ]
                    try Self.set(ordinals.map { Int($0 % Self.usePage) }, key, in: connection)
                }
            }
        }
    }

    /// Sets bits in a row, which other nodes set too.
    private static func set(_ places: [Int], _ key: [PostgresValue], in connection: PostgresConnection) throws {
        let condition = "app = $1 AND unit = $2 AND time = $3 AND measure = $4 AND page = $5"
        let known = try connection.execute("SELECT devices FROM deviceUse WHERE \(condition)", key)
        // Most devices were noted before.
        let first = PlaceSet(bytes: known.first?.bytes(0) ?? [])
        guard places.contains(where: { !first.contains($0) }) else { return }
        try connection.execute(
            """
            INSERT INTO deviceUse (app, unit, time, measure, page, devices) VALUES ($1, $2, $3, $4, $5, '')
            ON CONFLICT (app, unit, time, measure, page) DO NOTHING
            """,
            key
        )
        let locked = try connection.execute("SELECT devices FROM deviceUse WHERE \(condition) FOR UPDATE", key)
        var devices = PlaceSet(bytes: locked.first?.bytes(0) ?? [])
        for place in places { devices.insert(place) }
        try connection.execute("UPDATE deviceUse SET devices = $6 WHERE \(condition)", key + [.bytes(devices.bytes)])
    }
}
