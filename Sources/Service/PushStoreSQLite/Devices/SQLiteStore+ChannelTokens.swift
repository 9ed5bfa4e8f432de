package import Foundation
import GRDB
import PushModel
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

    package func channelTokens(of device: DeviceID) async throws -> [ChannelToken] {
        try await database.read { database in
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
