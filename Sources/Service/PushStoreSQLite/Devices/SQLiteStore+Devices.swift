package import Foundation
import GRDB
package import PushModel
package import PushService
import PushStoreSQL

extension SQLiteStore {
    package func device(_ id: DeviceID) async throws -> RegisteredDevice? {
        try await read { try Self.device(id, in: $0) }
    }

    package func devices(_ ordinals: [DeviceOrdinal], of app: App.ID) async throws -> [RegisteredDevice] {
        guard !ordinals.isEmpty else { return [] }
        return try await read { database in
            try ordinals.compactMap { try Self.device(DeviceID(app: app, ordinal: $0), in: database) }
        }
    }

    private static let deviceQuery =
        "SELECT \(RegisteredDevice.columns) FROM device WHERE app = ? AND ordinal = ?"

    static func device(_ id: DeviceID, in database: Database) throws -> RegisteredDevice? {
        var question = try StatementBinding(deviceQuery, in: database)
        question.bind(Int64(id.app))
        question.bind(Int64(id.ordinal))
        return try question.first(in: database) { try RegisteredDevice($0) }
    }

    package func registerDevice(
        app: App.ID,
        installation: String,
        note: UseNote?,
        make: @escaping @Sendable (DeviceOrdinal) -> RegisteredDevice,
        change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice {
        try await writes.write { [self] database in
            let session = SQLiteSession(database: database)
            var note = note
            let known = try session.first(
                "SELECT \(raw: RegisteredDevice.columns) FROM device WHERE app = \(app) AND installation = \(installation)"
            ) { try RegisteredDevice($0) }
            var device: RegisteredDevice
            if let known {
                device = known
            } else {
                device = make(try Self.nextOrdinal(of: app, in: database))
                note?.measures.append(.new)
            }
            change(&device)
            device.version += 1
            try device.save(to: database, tokens)
            if let note { try session.note(note, of: [device.id.ordinal], app: app) }
            return device
        }
    }

    package func updateDevice(
        _ id: DeviceID,
        note: UseNote?,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice? {
        try await writes.write { [self] database in
            let device = try update(id, in: database, change)
            if let note, device != nil {
                try SQLiteSession(database: database).note(note, of: [id.ordinal], app: id.app)
            }
            return device
        }
    }

    private func update(
        _ id: DeviceID,
        in database: Database,
        _ change: (inout RegisteredDevice) -> Void
    ) throws -> RegisteredDevice? {
        try changeDevices([id.ordinal], of: id.app, in: SQLiteSession(database: database)) { device in
            change(&device)
            return true
        }.first
    }

    package func changeDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        in session: SQLiteSession,
        _ change: (inout RegisteredDevice) throws -> Bool
    ) throws -> [RegisteredDevice] {
        try ordinals.compactMap { ordinal in
            let id = DeviceID(app: app, ordinal: ordinal)
            guard var device = try Self.device(id, in: session.database), try change(&device) else { return nil }
            device.version += 1
            try device.save(to: session.database, tokens)
            return device
        }
    }

    package func setToken(
        _ token: DeviceToken,
        _ environment: APNSEnvironment,
        of id: DeviceID,
        at date: Date
    ) async throws -> [RegisteredDevice] {
        try await writes.write { [self] database in
            let others = try tokens.holders(of: token, app: id.app, in: database).filter { $0 != id.ordinal }
            var changed: [RegisteredDevice] = []
            var imported: [RegisteredDevice] = []
            for ordinal in others {
                let other = DeviceID(app: id.app, ordinal: ordinal)
                var wasImported = false
                let loser = try update(other, in: database) { device in
                    wasImported = device.isImported
                    if device.isImported { imported.append(device) }
                    device.loseToken()
                }
                if let loser { changed.append(loser) }
                // An app has registered as this device and has its secret. A client with only the token does not, and gets no
                // messages for the device's ids.
                if wasImported { try Self.moveImportedIDs(from: other, to: id, in: database) }
            }
            let owner = try update(id, in: database) { $0.setToken(token, environment, at: date, from: imported) }
            if let owner { changed.append(owner) }
            return changed
        }
    }

    package func prepareBadges(_ prepared: [BadgeUpdate], app: App.ID) async throws -> [StoredBadge] {
        try await writes.write { database in
            var changed: [StoredBadge] = []
            var question = try StatementBinding(
                "SELECT badge, version FROM device WHERE app = ? AND ordinal = ?",
                in: database
            )
            var change = try StatementBinding(
                "UPDATE device SET badge = ?, version = ? WHERE app = ? AND ordinal = ?",
                in: database
            )
            let note = try database.cachedStatement(
                sql: "UPDATE chunk SET prepared = ? WHERE message = ? AND number = ? AND fence = ?"
            )
            for chunk in prepared {
                try note.execute(arguments: [
                    chunk.prepared, chunk.chunk.message.number, chunk.chunk.number, chunk.fence,
                ])
                // Another worker has the lease by now and counts them.
                guard database.changesCount > 0 else { continue }
                for (ordinal, badge) in chunk.badges {
                    question.bind(Int64(app))
                    question.bind(Int64(ordinal))
                    let known = try question.first(in: database) {
                        (badge: $0.int64(0), version: UInt32(truncatingIfNeeded: $0.int64(1)))
                    }
                    guard let known, known.badge != Int64(badge) else { continue }
                    change.bind(Int64(badge))
                    change.bind(Int64(known.version + 1))
                    change.bind(Int64(app))
                    change.bind(Int64(ordinal))
                    try change.execute(in: database)
                    changed.append(StoredBadge(ordinal, badge: badge, version: known.version + 1))
                }
            }
            return changed
        }
    }

    package func deleteDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        unseenSince date: Date,
        _ deletion: Deletion
    ) async throws -> [DeviceOrdinal] {
        try await change { session in
            // An ordinal is never reused, even if the newest device is deleted.
            let next = try Self.nextOrdinal(of: app, in: session.database)
            try session.execute(
                """
                INSERT INTO deviceFloor (app, ordinal, days) VALUES (\(app), \(next), \(deletion.days))
                ON CONFLICT DO UPDATE SET ordinal = max(ordinal, excluded.ordinal), days = excluded.days
                """
            )
            let gone = try ordinals.filter { ordinal in
                try session.execute(
                    "DELETE FROM device WHERE app = \(app) AND ordinal = \(ordinal) AND lastSeen < \(date)"
                ) > 0
            }
            let devices = gone.map { DeviceID(app: app, ordinal: $0) }
            try session.note(.unregistered, of: devices, at: deletion.date)
            try session.deleteTopics(of: devices)
            return gone
        }
    }

    /// Returns the ordinal of the next device of an app.
    static func nextOrdinal(of app: App.ID, in database: Database) throws -> DeviceOrdinal {
        let next = try SQLiteSession(database: database).number(
            """
            SELECT max(
                coalesce((SELECT max(ordinal) + 1 FROM device WHERE app = \(app)), 0),
                coalesce((SELECT ordinal FROM deviceFloor WHERE app = \(app)), 0)
            )
            """
        )
        return DeviceOrdinal(truncatingIfNeeded: next)
    }
}

/// Inserts or updates rows of devices in one transaction. ``TokenIndex`` has to know of them.
struct DeviceWriter {
    private let database: Database
    private let statement: Statement
    private let columns = DeviceColumn.allCases

    init(_ database: Database) throws {
        self.database = database
        // The statement is looked up once, because its text is long.
        statement = try database.cachedStatement(sql: Self.upsert)
    }

    func write(_ device: RegisteredDevice) throws {
        var row = StatementBinding(statement)
        for column in columns {
            // Without a copy, as every device has one.
            if column == .token, let token = device.token {
                token.withBytes { row.bind($0) }
            } else {
                row.bind(device.value(column))
            }
        }
        try row.execute(in: database)
    }

    private static let upsert = """
        INSERT INTO device (\(RegisteredDevice.columns)) VALUES (\(DeviceColumn.allCases.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (app, ordinal) DO UPDATE SET \(DeviceColumn.assignments)
        """
}

extension RegisteredDevice {
    /// Inserts or updates the row.
    func save(to database: Database, _ tokens: TokenIndex) throws {
        tokens.note(CollectionOfOne(self))
        try DeviceWriter(database).write(self)
    }
}
