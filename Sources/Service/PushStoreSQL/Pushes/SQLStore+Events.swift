package import Foundation
import PushModel
package import PushService

/// The number of rows that get their positions in one transaction.
private let step = 5000

// The events that apps read by position. Transactions of several nodes commit in any order, so rows get their positions afterwards.
extension SQLStore {
    package func events(of app: App.ID, after position: Int64, limit: Int) async throws -> AppEvents {
        let hasNew = try await first("SELECT 1 FROM appEvent WHERE app = \(app) AND position IS NULL LIMIT 1") { _ in
            true
        }
        if hasNew != nil { try await change { try $0.assignPositions(of: app) } }
        return try await query { session in
            let rows = try session.rows(
                """
                SELECT position, kind, message, part, at, ordinals FROM appEvent WHERE app = \(app) AND position > \(position)
                ORDER BY position LIMIT \(limit)
                """
            ) { row in
                AppEvents.Row(
                    position: row.int64(0),
                    kind: try row.word(1, "kind", of: "appEvent"),
                    message: row.optionalInt64(2).map { MessageID($0) },
                    part: row.optionalText(3).flatMap { CallbackPart(rawValue: $0) },
                    date: row.date(4),
                    ordinals: row.ordinals(5).ordinals
                )
            }
            let oldest = try session.firstNumber(
                "SELECT position FROM appEvent WHERE app = \(app) AND position IS NOT NULL ORDER BY position LIMIT 1"
            )
            return AppEvents(rows: rows, oldest: oldest)
        }
    }

    package func deleteEvents(before date: Date, limit: Int) async throws -> Bool {
        try await execute(
            "DELETE FROM appEvent WHERE number IN (SELECT number FROM appEvent WHERE at < \(date) LIMIT \(limit))"
        ) == limit
    }
}

extension SQLSession {
    fileprivate func assignPositions(of app: App.ID) throws {
        let last = try number("SELECT position FROM eventStream WHERE app = \(app) \(raw: dialect.locking())")
        let count = try execute(
            """
            UPDATE appEvent SET position = \(last) + new.place FROM (
                SELECT number, row_number() OVER (ORDER BY number) AS place FROM (
                    SELECT number FROM appEvent WHERE app = \(app) AND position IS NULL ORDER BY number LIMIT \(step)
                ) AS unplaced
            ) AS new WHERE appEvent.number = new.number
            """
        )
        try queue("UPDATE eventStream SET position = position + \(count) WHERE app = \(app)")
    }
}

extension [RegisteredDevice] {
    /// The devices that have no token.
    package var withoutToken: [DeviceID] { filter { $0.token == nil }.map(\.id) }
}

extension SQLSession {
    /// Writes an event of an app, whose stream exists. The date is in milliseconds since 1970.
    func add(
        _ kind: AppEvents.Kind,
        of app: App.ID,
        message: Int64? = nil,
        part: CallbackPart? = nil,
        devices: [DeviceOrdinal] = [],
        at date: Int64
    ) throws {
        try queue(
            """
            INSERT INTO appEvent (app, kind, message, part, at, ordinals)
            VALUES (\(app), \(kind), \(message), \(part), \(date), \(OrdinalList(devices).packed))
            """
        )
    }

    /// Writes an event of devices, for apps whose events are kept.
    package func note(_ kind: AppEvents.Kind, of devices: [DeviceID], at date: Date?) throws {
        guard let date, !devices.isEmpty else { return }
        for (app, devices) in Dictionary(grouping: devices, by: \.app).sorted(by: { $0.key < $1.key }) {
            guard try first("SELECT 1 FROM eventStream WHERE app = \(app)", read: { _ in true }) != nil else {
                continue
            }
            let ordinals = devices.map(\.ordinal).sorted()
            try add(kind, of: app, devices: ordinals, at: date.milliseconds)
        }
    }
}
