package import Foundation
import PostgresClient
package import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore {
    /// Distinguishes the advisory locks of tokens from others.
    private static let tokenLocks: Int64 = 0x746F_6B65

    package func setToken(
        _ token: DeviceToken,
        _ environment: APNSEnvironment,
        of id: DeviceID,
        at date: Date
    ) async throws -> [RegisteredDevice] {
        try await write { [self] session in
            let connection = session.connection
            // A token belongs to one device, although two nodes may take it for two devices at once.
            try connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), $2::bigint))",
                .bytes(token.bytes),
                .int64(Self.tokenLocks << 16 | Int64(id.app))
            )
            let holders = try connection.execute(
                "SELECT ordinal FROM device WHERE token = $1 AND app = $2",
                .bytes(token.bytes),
                .app(id.app)
            ).map { $0.ordinal(0) }
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
                try connection.execute(
                    "UPDATE importedID SET ordinal = $1, isName = false WHERE app = $2 AND ordinal = ANY ($3::bigint[])",
                    .ordinal(id.ordinal),
                    .app(id.app),
                    .int64s(imported.map { Int64($0.id.ordinal) })
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
