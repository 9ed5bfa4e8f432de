package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func setChannelToken(_ token: ChannelToken, of device: DeviceID, limit: Int, at date: Date) async throws {
        try await writes.write { database in
            guard try Self.device(device, in: database) != nil else { return }
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO channelToken (app, ordinal, channel, name, token, environment, at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                device.app, device.ordinal, token.channel.rawValue, token.name, Data(token.token.bytes),
                token.environment.rawValue, date.milliseconds,
            ])
            try database.cachedStatement(
                sql: """
                    DELETE FROM channelToken WHERE app = ?1 AND ordinal = ?2 AND channel = ?3 AND name IN (
                        SELECT name FROM channelToken WHERE app = ?1 AND ordinal = ?2 AND channel = ?3
                        ORDER BY at DESC, name = ?4 DESC LIMIT -1 OFFSET ?5
                    )
                    """
            ).execute(arguments: [device.app, device.ordinal, token.channel.rawValue, token.name, limit])
        }
    }

    package func removeChannelToken(
        _ channel: ChannelToken.Channel,
        name: String,
        of device: DeviceID
    ) async throws {
        try await writes.write { database in
            try database.cachedStatement(
                sql: "DELETE FROM channelToken WHERE app = ? AND ordinal = ? AND channel = ? AND name = ?"
            ).execute(arguments: [device.app, device.ordinal, channel.rawValue, name])
        }
    }

    package func channelDevices(
        _ key: ChannelKey,
        of app: App.ID
    ) async throws -> [APNSEnvironment: [DeviceOrdinal]] {
        try await read { database in
            var devices: [APNSEnvironment: [DeviceOrdinal]] = [:]
            let rows = try Row.fetchCursor(
                database,
                sql: Self.channelDevices,
                arguments: [app, key.channel.rawValue, key.name]
            )
            while let row = try rows.next() {
                let environment: APNSEnvironment = try word(row, "environment", of: "channelToken")
                devices[environment, default: []].append(row["ordinal"])
            }
            return devices
        }
    }

    static let channelDevices = """
        SELECT ordinal, environment FROM channelToken WHERE app = ? AND channel = ? AND name = ? ORDER BY ordinal
        """

    package func channelTokens(
        _ key: ChannelKey,
        of ordinals: [DeviceOrdinal],
        app: App.ID,
        _ environment: APNSEnvironment
    ) async throws -> [DeviceOrdinal: DeviceToken] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT token FROM channelToken
                    WHERE app = ? AND ordinal = ? AND channel = ? AND name = ? AND environment = ?
                    """
            )
            var tokens: [DeviceOrdinal: DeviceToken] = [:]
            for ordinal in ordinals {
                let key: StatementArguments = [app, ordinal, key.channel.rawValue, key.name, environment.rawValue]
                let token = try Data.fetchOne(statement, arguments: key)
                tokens[ordinal] = token.map { DeviceToken(bytes: $0) }
            }
            return tokens
        }
    }

    /// Deletes a refused token, if it is one of a channel: the app brings another when it has one.
    ///
    /// - Returns: whether it was one.
    func forget(_ refused: RefusedToken, in database: Database) throws -> Bool {
        try database.cachedStatement(
            sql: "DELETE FROM channelToken WHERE app = ? AND ordinal = ? AND token = ? AND at <= ?"
        ).execute(arguments: [
            refused.device.app, refused.device.ordinal, Data(refused.token.bytes), refused.since.milliseconds,
        ])
        return database.changesCount > 0
    }

    package func channelTokens(of device: DeviceID) async throws -> [ChannelToken] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM channelToken WHERE app = ? AND ordinal = ? ORDER BY channel, name",
                arguments: [device.app, device.ordinal]
            ).map { row in
                ChannelToken(
                    channel: try word(row, "channel", of: "channelToken"),
                    name: row["name"],
                    token: DeviceToken(bytes: row["token"] as Data),
                    environment: try word(row, "environment", of: "channelToken")
                )
            }
        }
    }
}
