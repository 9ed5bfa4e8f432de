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
                do { try Self.read(row, into: &rows) } catch let error as CorruptRow {
                    damaged("device \(row.ordinal(DeviceColumn.ordinal.rawValue)) of app \(part.app): \(error)")
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
            row.ordinal(DeviceColumn.ordinal.rawValue),
            version: UInt32(truncatingIfNeeded: row.int64(DeviceColumn.version.rawValue)),
            // The table allows no third value.
            environment: row.text(DeviceColumn.environment.rawValue) == "production" ? .production : .development,
            badge: row.int(DeviceColumn.badge.rawValue),
            lastSeen: row.date(DeviceColumn.lastSeen.rawValue),
            isStopped: row.bool(DeviceColumn.isStopped.rawValue)
        )
        if !row.isNull(DeviceColumn.tokenRefusal.rawValue) {
            rows.setRefused()
        } else if let token = row.optionalBytes(DeviceColumn.token.rawValue) {
            rows.setToken(DeviceToken(bytes: token))
        }
        if let alias = row.optionalBytes(DeviceColumn.alias.rawValue) { rows.setAlias(alias.span) }
        if let zone = row.optionalText(DeviceColumn.zone.rawValue) { rows.setZone(zone) }
        if let version = row.optionalText(DeviceColumn.appVersion.rawValue) { rows.setAppVersion(version) }
        if let system = row.optionalText(DeviceColumn.system.rawValue), !system.isEmpty { rows.setSystem(system) }
        if let language = row.optionalText(DeviceColumn.language.rawValue) { rows.setLanguage(language) }
        if let date = row.optionalDate(DeviceColumn.registeredAt.rawValue) { rows.setRegistered(date) }
        if row.bool(DeviceColumn.isAliasProved.rawValue) { rows.setAliasProved() }
        let text = row.text(DeviceColumn.tags.rawValue)
        guard text != "[]" else { return }
        guard let tags = (try? JSONValue(parsing: text))?.array?.compactMap(\.string) else {
            throw CorruptRow(table: "device", column: "tags", found: text)
        }
        for tag in tags { rows.addTag(tag.utf8.span) }
    }
}
