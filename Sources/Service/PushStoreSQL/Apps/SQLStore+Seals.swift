import PushModel
package import PushService

extension SQLStore {
    package func bindSeals(
        _ bind: @escaping @Sendable (_ sealed: [UInt8], _ place: SealedPlace) -> [UInt8]?
    ) async throws {
        // There is almost never anything to bind, and a read costs no commit.
        let isBound = try await query { try Self.unbound($0).isEmpty }
        guard !isBound else { return }
        try await change { session -> Void in
            for seal in try Self.unbound(session) {
                guard let bound = bind(seal.sealed, seal.place) else { continue }
                try session.queue(seal.update, [.bytes(bound)] + seal.key)
            }
        }
    }

    private static func unbound(_ session: any SQLSession) throws -> [UnboundSeal] {
        let keys = try session.rows("SELECT app, sealedPrivateKey FROM credential WHERE NOT isBound") { row in
            UnboundSeal(
                sealed: row.bytes(1),
                place: .providerKey(row.app(0)),
                update: "UPDATE credential SET sealedPrivateKey = $1, isBound = true WHERE app = $2",
                key: [.int64(row.int64(0))]
            )
        }
        let certificates = try session.rows("SELECT app, sealed, environment FROM certificate WHERE NOT isBound") {
            row in
            UnboundSeal(
                sealed: row.bytes(1),
                place: .certificate(row.app(0), try row.word(2, "environment", of: "certificate")),
                update: "UPDATE certificate SET sealed = $1, isBound = true WHERE app = $2 AND environment = $3",
                key: [.int64(row.int64(0)), .text(row.text(2))]
            )
        }
        let secrets = try session.rows(
            """
            SELECT app, sealedSecret, app.key FROM ownedApp JOIN app ON app.id = ownedApp.app
            WHERE NOT isBound AND length(sealedSecret) > 0
            """
        ) { row in
            AppKey(row.text(2)).map { key in
                UnboundSeal(
                    sealed: row.bytes(1),
                    place: .masterSecret(key),
                    update: "UPDATE ownedApp SET sealedSecret = $1, isBound = true WHERE app = $2",
                    key: [.int64(row.int64(0))]
                )
            }
        }
        return keys + certificates + secrets.compactMap(\.self)
    }
}

/// A sealed value without app and environment in its seal.
private struct UnboundSeal {
    var sealed: [UInt8]
    var place: SealedPlace
    var update: String
    var key: [SQLValue]
}
