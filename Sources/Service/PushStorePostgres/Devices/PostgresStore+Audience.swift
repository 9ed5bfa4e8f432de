import Foundation
import PostgresClient
package import PushModel
package import PushService

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
                SELECT ordinal, version, badge, lastSeen, environment, token, alias, tags, isStopped, zone,
                    tokenRefusal IS NOT NULL, appVersion
                FROM device WHERE app = $1 AND ordinal >= $2 AND ordinal < $3 ORDER BY ordinal
                """,
                .app(part.app),
                .int64(part.first),
                .int64(part.first + Self.part)
            )
            var rows = AudienceRows(app: part.app)
            for row in found {
                // A device is usable without the tags that cannot be read.
                do { try Self.read(row, into: &rows) } catch let error as CorruptRow {
                    damaged("device \(row.int64(0)) of app \(part.app): \(error)")
                }
                guard rows.count == Self.batch else { continue }
                each(rows)
                rows.removeAll()
            }
            each(rows)
        }
    }

    private static func read(_ row: PostgresRow, into rows: inout AudienceRows) throws {
        rows.add(
            row.ordinal(0),
            version: UInt32(truncatingIfNeeded: row.int64(1)),
            // The table allows no third value.
            environment: row.text(4) == "production" ? .production : .development,
            badge: Int(row.int64(2)),
            lastSeen: row.date(3),
            isStopped: row.bool(8)
        )
        if row.bool(10) {
            rows.setRefused()
        } else if let token = row.optionalBytes(5) {
            rows.setToken(DeviceToken(bytes: token))
        }
        if let alias = row.optionalBytes(6) { rows.setAlias(alias.span) }
        if let zone = row.optionalText(9) { rows.setZone(zone) }
        if let version = row.optionalText(11) { rows.setAppVersion(version) }
        let text = row.text(7)
        guard text != "[]" else { return }
        guard let tags = (try? JSONValue(parsing: text))?.array?.compactMap(\.string) else {
            throw CorruptRow(table: "device", column: "tags", found: text)
        }
        for tag in tags { rows.addTag(tag.utf8.span) }
    }

    /// The number of rows that a start reads in one query.
    private static let startStep = 4096

    package func storedTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws {
        var last: (app: App.ID, name: String) = (0, "")
        while true {
            let (app, name) = last
            let rows = try await readOnce { connection in
                try connection.execute(
                    "SELECT app, name FROM tag WHERE (app, name) > ($1, $2) ORDER BY app, name LIMIT $3",
                    .app(app),
                    .text(name),
                    .int64(Int64(Self.startStep))
                ).map { (app: App.ID(truncatingIfNeeded: $0.int64(0)), name: $0.text(1)) }
            }
            for (app, rows) in Dictionary(grouping: rows, by: \.app) { each(app, rows.map(\.name)) }
            guard rows.count == Self.startStep, let end = rows.last else { return }
            last = end
        }
    }

    package func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws {
        var last: (app: App.ID, id: String) = (0, "")
        while true {
            let (app, id) = last
            let (ids, end) = try await readOnce { [damaged] connection in
                let rows = try connection.execute(
                    "SELECT \(ImportedID.columns) FROM importedID WHERE (app, id) > ($1, $2) ORDER BY app, id LIMIT $3",
                    .app(app),
                    .text(id),
                    .int64(Int64(Self.startStep))
                )
                let ids = rows.compactMap { row -> ImportedID? in
                    do { return try ImportedID(row) } catch {
                        damaged("an imported id of app \(row.int64(0)), device \(row.int64(2)): \(error)")
                        return nil
                    }
                }
                let end = rows.count == Self.startStep ? rows.last : nil
                return (ids, end.map { (app: App.ID(truncatingIfNeeded: $0.int64(0)), id: $0.text(1)) })
            }
            each(ids)
            guard let end else { return }
            last = end
        }
    }

    package func importedIDs(of device: DeviceID) async throws -> [ImportedID] {
        try await readOnce { connection in
            try connection.execute(
                "SELECT \(ImportedID.columns) FROM importedID WHERE app = $1 AND ordinal = $2 ORDER BY id",
                .app(device.app),
                .ordinal(device.ordinal)
            ).map { try ImportedID($0) }
        }
    }

    package func importedID(_ id: RegistrationID, of app: App.ID) async throws -> ImportedID? {
        try await readOnce { connection in
            try connection.execute(
                "SELECT \(ImportedID.columns) FROM importedID WHERE app = $1 AND id = $2",
                .app(app),
                .text(id.text)
            ).first.map { try ImportedID($0) }
        }
    }
}

extension ImportedID {
    /// The columns for ``init(_:)``, in order.
    static let columns = "app, id, ordinal, isName"

    init(_ row: PostgresRow) throws {
        let text = row.text(1)
        guard let id = RegistrationID(text) else { throw CorruptRow(table: "importedID", column: "id", found: text) }
        let device = DeviceID(app: App.ID(truncatingIfNeeded: row.int64(0)), ordinal: row.ordinal(2))
        self.init(id: id, device: device, isName: row.bool(3))
    }
}
