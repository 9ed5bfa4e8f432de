package import PushModel
package import PushService

/// The number of rows that a start reads in one query.
private let startStep = 4096

// Changes of many devices, and what is known of devices besides their rows: kept tags, imported ids, and that they were deleted.
extension SQLStore {
    package func devices(of app: App.ID, from start: DeviceOrdinal, limit: Int) async throws -> [RegisteredDevice] {
        try await rows(
            "SELECT \(raw: RegisteredDevice.columns) FROM device WHERE app = \(app) AND ordinal >= \(start) ORDER BY ordinal LIMIT \(limit)"
        ) { try RegisteredDevice($0) }
    }

    package func updateDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        keepingTags tags: [String],
        _ change: @escaping @Sendable (inout RegisteredDevice) throws -> Void
    ) async throws -> [RegisteredDevice] {
        try await self.change { [self] session in
            let changed = try changeDevices(ordinals, of: app, keepingTags: tags, in: session) { device in
                let old = device
                try change(&device)
                return device != old
            }
            // In the order in which the caller has them.
            let places = Dictionary(ordinals.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            return changed.sorted { places[$0.id.ordinal, default: 0] < places[$1.id.ordinal, default: 0] }
        }
    }

    /// Adds tags that stay known without a device, and changes devices.
    package func changeDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        keepingTags tags: [String],
        in session: Session,
        _ change: (inout RegisteredDevice) throws -> Bool
    ) throws -> [RegisteredDevice] {
        // Before the log is locked, and in the same order at all nodes.
        for tag in tags.sorted() {
            try session.queue("INSERT INTO tag (app, name) VALUES (\(app), \(tag)) ON CONFLICT DO NOTHING")
        }
        let changed = try changeDevices(ordinals, of: app, in: session, change)
        if !tags.isEmpty { try session.announce([.tagsKept(tags, of: app)]) }
        return changed
    }

    package func forgetRefusals(
        of app: App.ID,
        after last: DeviceOrdinal?,
        limit: Int
    ) async throws -> [RegisteredDevice] {
        try await change { [self] session in
            let ordinals = try session.rows(
                """
                SELECT ordinal FROM device WHERE app = \(app) AND ordinal > \(last.map { Int64($0) } ?? -1)
                    AND tokenRefusal IS NOT NULL ORDER BY ordinal LIMIT \(limit)
                """
            ) { $0.ordinal(0) }
            return try changeDevices(ordinals, of: app, in: session) { device in
                device.tokenRefusal = nil
                return true
            }
        }
    }

    /// Removes tokens that APNs reports as gone and marks those that it refuses, unless they were registered again since.
    package func note(_ refused: [RefusedToken], in session: Session) throws -> [RegisteredDevice] {
        guard !refused.isEmpty else { return [] }
        // A refused token of a channel is deleted: the app brings another when it has one.
        let rest = try refused.filter { refused in
            let device = refused.device
            let token = refused.token.bytes
            return try session.execute(
                """
                DELETE FROM channelToken WHERE app = \(device.app) AND ordinal = \(device.ordinal) AND token = \(token)
                    AND at <= \(refused.since)
                """
            ) == 0
        }
        return try Dictionary(grouping: rest, by: \.device.app).flatMap { app, tokens in
            let known = Dictionary(grouping: tokens, by: \.device.ordinal)
            return try changeDevices(known.keys.sorted(), of: app, in: session) { device in
                known[device.id.ordinal, default: []].contains { device.note($0) }
            }
        }
    }

    package func attributes(of ordinals: OrdinalList, app: App.ID) async throws -> AttributeValues {
        try await queryOnce { session in
            var values = AttributeValues(count: ordinals.ordinals.count)
            guard let range = ordinals.range else { return values }
            // Most devices of a large audience are neighbours, whose rows are next to each other.
            let areMeant: SQLStatement =
                range.count <= 2 * ordinals.ordinals.count
                ? "ordinal BETWEEN \(range.lowerBound) AND \(range.upperBound)"
                : session.dialect.isAny("ordinal", ordinals.ordinals)
            var next = 0
            try session.forEach(
                """
                SELECT ordinal, attributes FROM device WHERE app = \(app) AND attributes IS NOT NULL AND \(areMeant)
                """
            ) { row in
                let ordinal = row.ordinal(0)
                let isNext = next < ordinals.ordinals.count && ordinals.ordinals[next] == ordinal
                guard let place = isNext ? next : ordinals.place(of: ordinal) else { return }
                row.withOctets(1) { values.set($0, at: place) }
                next = place + 1
            }
            return values
        }
    }

    package func attributes(of app: App.ID, from first: DeviceOrdinal, limit: Int) async throws -> [StoredAttributes] {
        try await rows(
            """
            SELECT ordinal, version, attributes FROM device
            WHERE app = \(app) AND ordinal >= \(first) AND attributes IS NOT NULL ORDER BY ordinal LIMIT \(limit)
            """
        ) { row in
            let version = UInt32(truncatingIfNeeded: row.int64(1))
            return StoredAttributes(row.ordinal(0), version: version, [String: String](attributes: row.text(2)))
        }
    }

    package func audienceSize() async throws -> Int {
        try await first(
            "SELECT CAST(coalesce(sum((SELECT max(ordinal) + 1 FROM device WHERE app = app.id)), 0) AS bigint) FROM app"
        ) { Int($0.int64(0)) } ?? 0
    }

    package func storedTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws {
        var last: (app: App.ID, name: String) = (0, "")
        while true {
            let (app, name) = last
            let rows = try await rows(
                "SELECT app, name FROM tag WHERE (app, name) > (\(app), \(name)) ORDER BY app, name LIMIT \(startStep)"
            ) { (app: $0.app(0), name: $0.text(1)) }
            for (app, rows) in Dictionary(grouping: rows, by: \.app) { each(app, rows.map(\.name)) }
            guard rows.count == startStep, let end = rows.last else { return }
            last = end
        }
    }

    package func forgetTag(_ tag: String, of app: App.ID) async throws {
        try await change { session in
            try session.queue("DELETE FROM tag WHERE app = \(app) AND name = \(tag)")
            try session.announce([.tagForgotten(tag, of: app)])
        }
    }

    package func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws {
        var last: (app: App.ID, id: String) = (0, "")
        while true {
            let (app, id) = last
            let rows = try await rows(
                "SELECT \(raw: ImportedID.columns) FROM importedID WHERE (app, id) > (\(app), \(id)) ORDER BY app, id LIMIT \(startStep)"
            ) { row in
                let name = "an imported id of app \(row.int64(0)), device \(row.int64(2))"
                return (app: row.app(0), id: row.text(1), value: try readable(row, named: name) { try ImportedID($0) })
            }
            each(rows.compactMap(\.value))
            guard rows.count == startStep, let end = rows.last else { return }
            last = (end.app, end.id)
        }
    }

    package func importedIDs(of device: DeviceID) async throws -> [ImportedID] {
        try await records("FROM importedID WHERE app = \(device.app) AND ordinal = \(device.ordinal) ORDER BY id")
    }

    package func importedID(_ id: RegistrationID, of app: App.ID) async throws -> ImportedID? {
        try await record("FROM importedID WHERE app = \(app) AND id = \(id.text)")
    }

    package func deletion(of device: DeviceID) async throws -> Deletion? {
        try await first(
            """
            SELECT days FROM deviceFloor WHERE app = \(device.app) AND ordinal > \(device.ordinal)
                AND NOT EXISTS (SELECT 1 FROM device WHERE app = \(device.app) AND ordinal = \(device.ordinal))
            """
        ) { Deletion(days: $0.int(0)) }
    }
}

extension ImportedID: SQLRecord {
    package static let columns = "app, id, ordinal, isName"

    package init(_ row: any SQLRow) throws {
        self.init(
            id: try row.value(1, "id", of: "importedID") { RegistrationID($0) },
            device: DeviceID(app: row.app(0), ordinal: row.ordinal(2)),
            isName: row.bool(3)
        )
    }
}
