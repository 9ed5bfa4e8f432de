import PostgresClient
import PushModel
package import PushService

extension PostgresStore {
    package func bindSeals(
        _ bind: @escaping @Sendable (_ sealed: [UInt8], _ place: SealedPlace) -> [UInt8]?
    ) async throws {
        // There is almost never anything to bind, and a read costs no commit.
        let isBound = try await readOnce { try Self.unbound($0).isEmpty }
        guard !isBound else { return }
        try await write { session in
            for seal in try Self.unbound(session.connection) {
                guard let bound = bind(seal.sealed, seal.place) else { continue }
                try session.connection.execute(seal.update, [.bytes(bound)] + seal.key)
            }
        }
    }

    private struct Unbound {
        var sealed: [UInt8]
        var place: SealedPlace
        var update: String
        var key: [PostgresValue]
    }

    private static func unbound(_ connection: PostgresConnection) throws -> [Unbound] {
        let keys = try connection.execute("SELECT app, sealedPrivateKey FROM credential WHERE NOT isBound").map { row in
            Unbound(
                sealed: row.bytes(1),
                place: .providerKey(App.ID(truncatingIfNeeded: row.int64(0))),
                update: "UPDATE credential SET sealedPrivateKey = $1, isBound = true WHERE app = $2",
                key: [.int64(row.int64(0))]
            )
        }
        let certificates = try connection.execute(
            "SELECT app, sealed, environment FROM certificate WHERE NOT isBound"
        ).map { row in
            Unbound(
                sealed: row.bytes(1),
                place: .certificate(
                    App.ID(truncatingIfNeeded: row.int64(0)),
                    try row.word(2, "environment", of: "certificate")
                ),
                update: "UPDATE certificate SET sealed = $1, isBound = true WHERE app = $2 AND environment = $3",
                key: [.int64(row.int64(0)), .text(row.text(2))]
            )
        }
        let secrets = try connection.execute(
            """
            SELECT app, sealedSecret, app.key FROM ownedApp JOIN app ON app.id = ownedApp.app
            WHERE NOT isBound AND length(sealedSecret) > 0
            """
        ).compactMap { row in
            AppKey(row.text(2)).map { key in
                Unbound(
                    sealed: row.bytes(1),
                    place: .masterSecret(key),
                    update: "UPDATE ownedApp SET sealedSecret = $1, isBound = true WHERE app = $2",
                    key: [.int64(row.int64(0))]
                )
            }
        }
        return keys + certificates + secrets
    }
}
