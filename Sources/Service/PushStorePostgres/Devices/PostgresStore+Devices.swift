package import Foundation
import PostgresClient
package import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore {
    package func device(_ id: DeviceID) async throws -> RegisteredDevice? {
        try await devices([id.ordinal], of: id.app).first
    }

    package func devices(_ ordinals: [DeviceOrdinal], of app: App.ID) async throws -> [RegisteredDevice] {
        guard !ordinals.isEmpty else { return [] }
        return try await rows(
            """
            SELECT \(raw: RegisteredDevice.columns) FROM device JOIN unnest(\(numbers: ordinals)::bigint[]) WITH ORDINALITY
                AS given (number, place) ON device.ordinal = given.number
            WHERE app = \(app) ORDER BY place
            """
        ) { try RegisteredDevice($0) }
    }

    package func registerDevice(
        app: App.ID,
        installation: String,
        note: UseNote?,
        make: @escaping @Sendable (DeviceOrdinal) -> RegisteredDevice,
        change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice {
        while true {
            let known = try await first(
                "SELECT ordinal FROM device WHERE app = \(app) AND installation = \(installation)"
            ) { $0.ordinal(0) }
            if let known {
                let device = try await updateDevice(DeviceID(app: app, ordinal: known), note: note, change)
                if let device { return device }
                // It was deleted in between.
                continue
            }
            let ordinal = try await nextOrdinals(1, of: app).lowerBound
            do {
                var note = note
                note?.measures.append(.new)
                let new = DeviceCommit.Target.new(make(DeviceOrdinal(truncatingIfNeeded: ordinal)))
                if let made = try await deviceChanges.change(new, note: note, in: self, change) { return made }
            } catch PostgresError.refused(sqlState: PostgresError.uniqueViolation, message: _) {
                // Another node has registered the installation in between; it is known now.
            }
        }
    }

    /// Returns ordinals of this node for new devices.
    func nextOrdinals(_ count: Int64, of app: App.ID) async throws -> Range<Int64> {
        try await ordinals.take(app, count: count) { size in
            try await change { session in
                try session.connection.execute(DeviceStatements.claimOrdinals, .app(app), .int64(size))
                    .first?.int64(0) ?? 0
            }
        }
    }

    package func updateDevice(
        _ id: DeviceID,
        note: UseNote?,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice? { try await deviceChanges.change(.known(id), note: note, in: self, change) }

    package func updateDevice(
        _ id: DeviceID,
        keepingTags tags: [String],
        claiming claim: AliasClaim,
        _ change: @escaping @Sendable (inout RegisteredDevice) throws -> Void
    ) async throws -> [RegisteredDevice] {
        try await self.change { [self] session in
            let losers = try AliasPlaces.take(claim, for: id, in: session)
            return try changeDevices([id.ordinal] + losers, of: id.app, keepingTags: tags, in: session) { device in
                if device.id == id { try change(&device) } else { device.lose(claim.alias) }
                return true
            }
        }
    }

    package func prepareBadges(_ prepared: [BadgeUpdate], app: App.ID) async throws -> [StoredBadge] {
        try await change { [self] session in
            let connection = session.connection
            let rows = try connection.execute(
                """
                UPDATE chunk SET prepared = new.prepared
                FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS new (message, number, fence, prepared)
                WHERE chunk.message = new.message AND chunk.number = new.number AND chunk.fence = new.fence
                RETURNING chunk.message, chunk.number
                """,
                .int64s(prepared.map(\.chunk.message.number)),
                .numbers(prepared.map(\.chunk.number)),
                .int64s(prepared.map(\.fence)),
                .numbers(prepared.map(\.prepared))
            )
            // Of the others, another worker has the lease by now and counts them.
            let held = Set(rows.map { Chunk.ID(message: MessageID($0.int64(0)), number: $0.int(1)) })
            var badges: [DeviceOrdinal: Int] = [:]
            for update in prepared where held.contains(update.chunk) {
                for (ordinal, badge) in update.badges { badges[ordinal] = badge }
            }
            let wanted = badges
            return try changeDevices(wanted.keys.sorted(), of: app, in: session) { device in
                guard let badge = wanted[device.id.ordinal], badge != device.badge else { return false }
                device.badge = badge
                return true
            }.map { StoredBadge($0.id.ordinal, badge: $0.badge, version: $0.version) }
        }
    }

    package func deleteDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        unseenSince date: Date,
        _ deletion: Deletion
    ) async throws -> [DeviceOrdinal] {
        try await change { [node] session in
            let gone = try session.connection.execute(
                DeviceStatements.delete,
                .int64(Int64(node)),
                .app(app),
                .numbers(ordinals),
                .date(date)
            ).map { $0.ordinal(0) }.sorted()
            guard let last = gone.last else { return [] }
            // Not the end of the block: a node has not given the rest of it to devices yet.
            try session.execute(
                """
                INSERT INTO deviceFloor AS known (app, ordinal, days) VALUES (\(app), \(Int64(last) + 1), \(deletion.days))
                ON CONFLICT (app) DO UPDATE SET ordinal = greatest(known.ordinal, excluded.ordinal), days = excluded.days
                """
            )
            let devices = gone.map { DeviceID(app: app, ordinal: $0) }
            try session.note(.unregistered, of: devices, at: deletion.date)
            try session.deleteTopics(of: devices)
            return gone
        }
    }

    /// Distinguishes the advisory locks of tokens from others.
    private static let tokenLocks: Int64 = 0x746F_6B65

    package func setToken(
        _ token: DeviceToken,
        _ environment: APNSEnvironment,
        of id: DeviceID,
        at date: Date
    ) async throws -> [RegisteredDevice] {
        try await change { [self] session in
            let connection = session.connection
            // A token belongs to one device, although two nodes may take it for two devices at once.
            let key = Self.tokenLocks << 16 | Int64(id.app)
            session.queue(
                "SELECT pg_advisory_xact_lock(hashtextextended(encode(\(token.bytes)::bytea, 'hex'), \(key)::bigint))"
            )
            let holders = try session.rows(
                "SELECT ordinal FROM device WHERE token = \(token.bytes) AND app = \(id.app)"
            ) { $0.ordinal(0) }
            let locked = try RegisteredDevice.lock(holders + [id.ordinal], of: id.app, in: connection)
            var changed: [RegisteredDevice] = []
            var imported: [RegisteredDevice] = []
            for var loser in locked where loser.id != id && loser.token == token {
                if loser.isImported { imported.append(loser) }
                loser.loseToken()
                loser.version += 1
                changed.append(loser)
            }
            // An app has registered as this device and has its secret. A client with only the token does not, and gets no
            // messages for the device's ids.
            if !imported.isEmpty {
                session.queue(
                    """
                    UPDATE importedID SET ordinal = \(id.ordinal), isName = false
                    WHERE app = \(id.app) AND ordinal = ANY (\(numbers: imported.map(\.id.ordinal))::bigint[])
                    """
                )
            }
            if var owner = locked.first(where: { $0.id == id }) {
                owner.setToken(token, environment, at: date, from: imported)
                owner.version += 1
                changed.append(owner)
            }
            try write(changed, in: connection)
            if !imported.isEmpty { try session.addToLog([.importedIDs(of: id)]) }
            return changed
        }
    }
}

extension PostgresStore: SharedDeviceStore {
    package func lookUp(_ names: DeviceNames, of app: App.ID) async throws -> FoundDevices {
        guard !names.isEmpty else { return FoundDevices(devices: [], importedIDs: []) }
        return try await queryOnce { session in
            var ids: [ImportedID] = []
            if !names.importedIDs.isEmpty {
                let texts = names.importedIDs.map(\.text)
                ids = try session.records(
                    "FROM importedID WHERE app = \(app) AND id = ANY (\(texts)::text[]) ORDER BY id"
                )
            }
            let ordinals = names.ordinals + ids.map(\.device.ordinal)
            // Each condition has an index of its own.
            let devices = try session.rows(
                """
                SELECT \(raw: RegisteredDevice.columns) FROM device WHERE app = \(app) AND ordinal IN (
                    SELECT unnest(\(numbers: ordinals)::bigint[])
                    UNION SELECT ordinal FROM device WHERE app = \(app) AND alias = ANY (\(names.aliases)::text[])
                )
                """
            ) { try RegisteredDevice($0).audienceEntry }
            return FoundDevices(devices: devices, importedIDs: ids)
        }
    }
}
