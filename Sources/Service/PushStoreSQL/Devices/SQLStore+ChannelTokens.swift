package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func setChannelToken(_ token: ChannelToken, of device: DeviceID, limit: Int, at date: Date) async throws {
        try await change { session in
            let key: SQLStatement = "app = \(device.app) AND ordinal = \(device.ordinal)"
            let query: SQLStatement = "SELECT 1 FROM device WHERE \(key) \(raw: session.dialect.locking())"
            guard try session.first(query, read: { _ in true }) != nil else { return }
            try session.queue(
                """
                INSERT INTO channelToken (app, ordinal, channel, name, token, environment, at)
                VALUES (\(device.app), \(device.ordinal), \(token.channel), \(token.name), \(token.token.bytes),
                    \(token.environment), \(date))
                ON CONFLICT (app, ordinal, channel, name) DO UPDATE SET
                    token = excluded.token, environment = excluded.environment, at = excluded.at
                """
            )
            let tokens: SQLStatement = "FROM channelToken WHERE \(key) AND channel = \(token.channel)"
            try session.queue(
                """
                DELETE \(tokens) AND name IN (
                    SELECT name \(tokens) ORDER BY at DESC, name = \(token.name) DESC LIMIT \(Int32.max) OFFSET \(limit)
                )
                """
            )
        }
    }

    package func removeChannelToken(_ channel: ChannelToken.Channel, name: String, of device: DeviceID) async throws {
        try await execute(
            "DELETE FROM channelToken WHERE app = \(device.app) AND ordinal = \(device.ordinal) AND channel = \(channel) AND name = \(name)"
        )
    }

    package func channelTokens(of device: DeviceID) async throws -> [ChannelToken] {
        try await records(
            "FROM channelToken WHERE app = \(device.app) AND ordinal = \(device.ordinal) ORDER BY channel, name"
        )
    }

    package func channelDevices(_ key: ChannelKey, of app: App.ID) async throws -> [APNSEnvironment: [DeviceOrdinal]] {
        try await queryOnce { session in
            var devices: [APNSEnvironment: [DeviceOrdinal]] = [:]
            try session.forEach(
                """
                SELECT ordinal, environment FROM channelToken WHERE app = \(app) AND channel = \(key.channel) AND name
                    = \(key.name) ORDER BY ordinal
                """
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
                WHERE app = \(app) AND channel = \(key.channel) AND name = \(key.name) AND environment = \(environment)
                    AND \(session.dialect.isAny("ordinal", ordinals))
                """
            ) { tokens[$0.ordinal(0)] = DeviceToken(bytes: $0.bytes(1)) }
            return tokens
        }
    }
}

extension ChannelToken: SQLRecord {
    package static let columns = "channel, name, token, environment"

    package init(_ row: any SQLRow) throws {
        self.init(
            channel: try row.word(0, "channel", of: "channelToken"),
            name: row.text(1),
            token: DeviceToken(bytes: row.bytes(2)),
            environment: try row.word(3, "environment", of: "channelToken")
        )
    }
}
