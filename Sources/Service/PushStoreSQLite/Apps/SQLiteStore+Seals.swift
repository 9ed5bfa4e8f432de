import Foundation
import GRDB
import PushModel
package import PushService

extension SQLiteStore {
    package func bindSeals(
        _ bind: @escaping @Sendable (_ sealed: [UInt8], _ place: SealedPlace) -> [UInt8]?
    ) async throws {
        // There is almost never anything to bind, and a read costs no commit.
        let isBound = try await read { try Self.unbound($0).isEmpty }
        guard !isBound else { return }
        try await writes.write { database in
            for seal in try Self.unbound(database) {
                guard let bound = bind(seal.sealed, seal.place) else { continue }
                try database.execute(sql: seal.update, arguments: [Data(bound)] + seal.key)
            }
        }
    }

    private struct Unbound {
        var sealed: [UInt8]
        var place: SealedPlace
        var update: String
        var key: StatementArguments
    }

    private static func unbound(_ database: Database) throws -> [Unbound] {
        let keys = try Row.fetchAll(database, sql: "SELECT * FROM credential WHERE isBound = 0").map { row in
            Unbound(
                sealed: Array(row["sealedPrivateKey"] as Data),
                place: .providerKey(row["app"]),
                update: "UPDATE credential SET sealedPrivateKey = ?, isBound = 1 WHERE app = ?",
                key: [row["app"] as Int64]
            )
        }
        let certificates = try Row.fetchAll(database, sql: "SELECT * FROM certificate WHERE isBound = 0").map { row in
            Unbound(
                sealed: Array(row["sealed"] as Data),
                place: .certificate(row["app"], try word(row, "environment", of: "certificate")),
                update: "UPDATE certificate SET sealed = ?, isBound = 1 WHERE app = ? AND environment = ?",
                key: [row["app"] as Int64, row["environment"] as String]
            )
        }
        let secrets = try Row.fetchAll(
            database,
            sql: """
                SELECT ownedApp.*, app.key FROM ownedApp JOIN app ON app.id = ownedApp.app
                WHERE isBound = 0 AND length(sealedSecret) > 0
                """
        ).compactMap { row in
            AppKey(row["key"] as String).map { key in
                Unbound(
                    sealed: Array(row["sealedSecret"] as Data),
                    place: .masterSecret(key),
                    update: "UPDATE ownedApp SET sealedSecret = ?, isBound = 1 WHERE app = ?",
                    key: [row["app"] as Int64]
                )
            }
        }
        return keys + certificates + secrets
    }
}
