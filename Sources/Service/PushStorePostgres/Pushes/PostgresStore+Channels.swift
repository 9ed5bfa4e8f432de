import PostgresClient
package import PushModel
package import PushService

// What pushes need of devices: channel tokens and badges.
extension PostgresStore {
    package func channelDevices(
        _ key: ChannelKey,
        of app: App.ID
    ) async throws -> [APNSEnvironment: [DeviceOrdinal]] {
        try await readOnce { connection in
            let rows = try connection.execute(
                """
                SELECT ordinal, environment FROM channelToken WHERE app = $1 AND channel = $2 AND name = $3 ORDER BY ordinal
                """,
                .app(app),
                .text(key.channel.rawValue),
                .text(key.name)
            )
            var devices: [APNSEnvironment: [DeviceOrdinal]] = [:]
            for row in rows {
                let environment: APNSEnvironment = try row.word(1, "environment", of: "channelToken")
                devices[environment, default: []].append(DeviceOrdinal(truncatingIfNeeded: row.int64(0)))
            }
            return devices
        }
    }

    package func channelTokens(
        _ key: ChannelKey,
        of ordinals: [DeviceOrdinal],
        app: App.ID,
        _ environment: APNSEnvironment
    ) async throws -> [DeviceOrdinal: DeviceToken] {
        try await readOnce { connection in
            let rows = try connection.execute(
                """
                SELECT ordinal, token FROM channelToken
                WHERE app = $1 AND channel = $2 AND name = $3 AND environment = $4 AND ordinal = ANY($5)
                """,
                .app(app),
                .text(key.channel.rawValue),
                .text(key.name),
                .text(environment.rawValue),
                .int64s(ordinals.map { Int64($0) })
            )
            var tokens: [DeviceOrdinal: DeviceToken] = [:]
            for row in rows {
                tokens[DeviceOrdinal(truncatingIfNeeded: row.int64(0))] = DeviceToken(bytes: row.bytes(1))
            }
            return tokens
        }
    }

    package func prepareBadges(_ prepared: [BadgeUpdate], app: App.ID) async throws -> [RegisteredDevice] {
        try await write { [self] session in
            let connection = session.connection
            let rows = try connection.execute(
                """
                UPDATE chunk SET prepared = new.prepared
                FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS new (message, number, fence, prepared)
                WHERE chunk.message = new.message AND chunk.number = new.number AND chunk.fence = new.fence
                RETURNING chunk.message, chunk.number
                """,
                .int64s(prepared.map(\.chunk.message.number)),
                .int64s(prepared.map { Int64($0.chunk.number) }),
                .int64s(prepared.map(\.fence)),
                .int64s(prepared.map { Int64($0.prepared) })
            )
            // Of the others, another worker has the lease by now and counts them.
            let held = Set(rows.map { Chunk.ID(message: MessageID($0.int64(0)), number: $0.int(1)) })
            var badges: [DeviceOrdinal: Int] = [:]
            for part in prepared where held.contains(part.chunk) {
                for (ordinal, badge) in part.badges { badges[ordinal] = badge }
            }
            let wanted = badges
            return try change(wanted.keys.sorted(), of: app, in: connection) { device in
                guard let badge = wanted[device.id.ordinal] else { return false }
                device.badge = badge
                return true
            }
        }
    }
}
