package import PushModel
package import PushService

/// The number of devices in one row of bits.
private let page: DeviceOrdinal = 4096

// The devices in use, by period. A period that has not ended has bits, an ended one has counts.
extension SQLStore {
    package func note(_ note: UseNote, of ordinals: [DeviceOrdinal], app: App.ID) async throws {
        try await change { try $0.note(note, of: ordinals, app: app) }
    }

    package func uses(
        of app: App.ID,
        _ unit: ReportUnit,
        from first: String,
        through last: String
    ) async throws -> [String: [UseMeasure: Int]] {
        try await query { session in
            var uses: [String: [UseMeasure: Int]] = [:]
            func read(_ column: String, from table: String, count: (any SQLRow) -> Int) throws {
                try session.forEach(
                    """
                    SELECT time, measure, \(raw: column) FROM \(raw: table) WHERE app = \(app) AND unit = \(unit) AND
                        time BETWEEN \(first) AND \(last)
                    """
                ) { row in
                    guard let measure = UseMeasure(rawValue: row.text(1)) else { return }
                    uses[row.text(0), default: [:]][measure, default: 0] += count(row)
                }
            }
            try read("devices", from: "deviceUse") { $0.places(2).count }
            try read("count", from: "deviceUseCount") { $0.int(2) }
            return uses
        }
    }

    package func closeUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool {
        try await change { session in
            var left = limit
            for (unit, time) in times where left > 0 {
                // The apps lead the key, and are few.
                let ended = try session.rows(
                    """
                    SELECT app, time, measure, page, devices FROM deviceUse
                    WHERE app IN (SELECT id FROM app) AND unit = \(unit) AND time < \(time) LIMIT \(left)
                        \(raw: session.dialect.locking())
                    """
                ) { row in
                    (
                        app: row.app(0), time: row.text(1), measure: row.text(2), page: row.int64(3),
                        count: row.places(4).count
                    )
                }
                for row in ended {
                    try session.queue(
                        """
                        INSERT INTO deviceUseCount AS known (app, unit, time, measure, count) 
                        VALUES (\(row.app), \(unit), \(row.time), \(row.measure), \(row.count))
                        ON CONFLICT (app, unit, time, measure) DO UPDATE SET count = known.count + excluded.count
                        """
                    )
                    try session.queue(
                        """
                        DELETE FROM deviceUse WHERE app = \(row.app) AND unit = \(unit) AND time = \(row.time)
                            AND measure = \(row.measure) AND page = \(row.page)
                        """
                    )
                }
                left -= ended.count
            }
            return left <= 0
        }
    }

    package func deleteUses(before times: [ReportUnit: String], limit: Int) async throws -> Bool {
        try await change { session in
            var left = limit
            for (unit, time) in times where left > 0 {
                left -= try session.execute(
                    """
                    DELETE FROM deviceUseCount WHERE (app, unit, time, measure) IN (
                        SELECT app, unit, time, measure FROM deviceUseCount WHERE unit = \(unit) AND time < \(time) LIMIT \(left)
                    )
                    """
                )
            }
            return left == 0
        }
    }
}

extension SQLSession {
    package func note(_ note: UseNote, of ordinals: [DeviceOrdinal], app: App.ID) throws {
        let pages = Dictionary(grouping: ordinals, by: { $0 / page })
        for (number, ordinals) in pages.sorted(by: { $0.key < $1.key }) {
            let places = ordinals.map { Int($0 % page) }
            for (unit, time) in note.times.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                for measure in note.measures.sorted(by: { $0.rawValue < $1.rawValue }) {
                    let key: [SQLValue] = [
                        .app(app), .text(unit.rawValue), .text(time), .text(measure.rawValue), .int64(Int64(number)),
                    ]
                    // Most devices were noted before.
                    let known = try devices(key)
                    guard places.contains(where: { known?.contains($0) != true }) else { continue }
                    let isShared = dialect == .postgres
                    // Not for each device: SQLite builds a table in memory for each list of words that the row is checked against.
                    if isShared || known == nil {
                        try queue(
                            SQLStatement(
                                """
                                INSERT INTO deviceUse (app, unit, time, measure, page, devices)
                                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (app, unit, time, measure, page) DO NOTHING
                                """,
                                key + [.bytes([])]
                            )
                        )
                    }
                    // The row exists, so that it can be locked: other nodes add bits to it too.
                    var all = (isShared ? try devices(key, isLocked: true) : known) ?? PlaceSet(bytes: [])
                    for place in places { all.insert(place) }
                    try queue(
                        SQLStatement(
                            """
                            UPDATE deviceUse SET devices = $1
                            WHERE app = $2 AND unit = $3 AND time = $4 AND measure = $5 AND page = $6
                            """,
                            [.bytes(all.bytes)] + key
                        )
                    )
                }
            }
        }
    }

    private func devices(_ key: [SQLValue], isLocked: Bool = false) throws -> PlaceSet? {
        // Fixed texts, as each registration asks for several rows.
        let text =
            "SELECT devices FROM deviceUse WHERE app = $1 AND unit = $2 AND time = $3 AND measure = $4 AND page = $5"
        return try first(SQLStatement(isLocked ? text + " " + dialect.locking() : text, key)) { $0.places(0) }
    }
}
