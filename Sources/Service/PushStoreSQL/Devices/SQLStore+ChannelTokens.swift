package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func setChannelToken(_ token: ChannelToken, of device: DeviceID, limit: Int, at date: Date) async throws {
        try await change { session -> Void in
            let key: [SQLValue] = [.app(device.app), .ordinal(device.ordinal)]
            let query = "SELECT 1 FROM device WHERE app = $1 AND ordinal = $2 \(session.dialect.locking())"
            guard try session.first(query, key, read: { _ in true }) != nil else { return }
            try session.queue(
                """
                INSERT INTO channelToken (app, ordinal, channel, name, token, environment, at)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (app, ordinal, channel, name) DO UPDATE SET
                    token = excluded.token, environment = excluded.environment, at = excluded.at
                """,
                key + [
                    .word(token.channel), .text(token.name), .bytes(token.token.bytes), .word(token.environment),
                    .date(date),
                ]
            )
            try session.queue(
                """
                DELETE FROM channelToken WHERE app = $1 AND ordinal = $2 AND channel = $3 AND name IN (
                    SELECT name FROM channelToken WHERE app = $1 AND ordinal = $2 AND channel = $3
                    ORDER BY at DESC, name = $4 DESC LIMIT \(Int32.max) OFFSET $5
                )
                """,
                key + [.word(token.channel), .text(token.name), .int(limit)]
            )
        }
    }

    package func removeChannelToken(
        _ channel: ChannelToken.Channel,
        name: String,
        of device: DeviceID
    ) async throws {
        try await change { session -> Void in
            try session.execute(
                "DELETE FROM channelToken WHERE app = $1 AND ordinal = $2 AND channel = $3 AND name = $4",
                .app(device.app),
                .ordinal(device.ordinal),
                .word(channel),
                .text(name)
            )
        }
    }

    package func channelTokens(of device: DeviceID) async throws -> [ChannelToken] {
        try await queryOnce { session in
            try session.rows(
                """
                SELECT channel, name, token, environment FROM channelToken WHERE app = $1 AND ordinal = $2
                ORDER BY channel, name
                """,
                .app(device.app),
                .ordinal(device.ordinal)
            ) { row in
                ChannelToken(
                    channel: try row.word(0, "channel", of: "channelToken"),
                    name: row.text(1),
                    token: DeviceToken(bytes: row.bytes(2)),
                    environment: try row.word(3, "environment", of: "channelToken")
                )
            }
        }
    }

    package func channelDevices(
        _ key: ChannelKey,
        of app: App.ID
    ) async throws -> [APNSEnvironment: [DeviceOrdinal]] {
        try await queryOnce { session in
            var devices: [APNSEnvironment: [DeviceOrdinal]] = [:]
            try session.forEach(
                """
                SELECT ordinal, environment FROM channelToken WHERE app = $1 AND channel = $2 AND name = $3 ORDER BY ordinal
                """,
                [.app(app), .word(key.channel), .text(key.name)]
            ) { row in
                let environment: APNSEnvironment = try row.word(1, "environment", of: "channelToken")
                devices[environment, default: []].append(row.ordinal(0))
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
        try await queryOnce { session in
            var tokens: [DeviceOrdinal: DeviceToken] = [:]
            try session.forEach(
                """
                SELECT ordinal, token FROM channelToken
                WHERE app = $1 AND channel = $2 AND name = $3 AND environment = $4
                    AND \(session.dialect.isAny("ordinal", "$5"))
                """,
                [
                    .app(app), .word(key.channel), .text(key.name), .word(environment),
                    .int64s(ordinals.map { Int64($0) }),
                ]
            ) { tokens[$0.ordinal(0)] = DeviceToken(bytes: $0.bytes(1)) }
            return tokens
        }
    }
}
