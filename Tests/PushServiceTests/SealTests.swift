import Crypto
import Foundation
import GRDB
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("Sealed credentials", .timeLimit(.minutes(5)))
struct SealTests {
    private static let credential = Credential(
        keyID: "ABC123DEFG",
        teamID: "TEAM123456",
        privateKey: "-----BEGIN PRIVATE KEY-----"
    )

    private static func draft(_ key: Character) throws -> App {
        App(
            id: 0,
            key: try #require(AppKey(String(repeating: key, count: 24))),
            secretHash: SecretHash(of: "s"),
            name: "App",
            bundleID: "com.example.app",
            defaultEnvironment: .production,
            createdAt: Date(timeIntervalSince1970: 0)
        )
    }

    @Test("A row that is copied to another app or environment does not open there")
    func copied() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let vault = CredentialVault(store: store, keys: testKeys)
            let own = try await store.createApp(try Self.draft("a"))
            let other = try await store.createApp(try Self.draft("b"))
            try await vault.set(Self.credential, of: own.id)
            #expect(try await vault.credential(of: own.id) == Self.credential)
            let sealed = try CredentialSeal(testKeys).seal(
                [1, UInt8(ascii: "p"), 7],
                at: .certificate(own.id, .development)
            )
            try await store.writes.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO credential (app, keyID, teamID, sealedPrivateKey, isBound)
                        SELECT ?, keyID, teamID, sealedPrivateKey, isBound FROM credential WHERE app = ?
                        """,
                    arguments: [other.id, own.id]
                )
                for (app, environment) in [(own.id, "development"), (own.id, "production"), (other.id, "development")] {
                    try database.execute(
                        sql: "INSERT INTO certificate VALUES (?, ?, ?, 't', 0, x'', NULL, 1)",
                        arguments: [app, environment, Data(sealed)]
                    )
                }
            }
            // Neither before nor after the next start.
            for _ in 0..<2 {
                await #expect(throws: CryptoKitError.self) { try await vault.credential(of: other.id) }
                #expect(try await vault.certificate(of: own.id, .development)?.passPhrase == "p")
                await #expect(throws: CryptoKitError.self) { try await vault.certificate(of: own.id, .production) }
                await #expect(throws: CryptoKitError.self) { try await vault.certificate(of: other.id, .development) }
                try await vault.bindSeals()
            }
        }
    }

    @Test("A seal that is not bound to its place is bound at the first start, and opens")
    func migrated() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            // Without associated data.
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: Data(repeating: 7, count: 32)),
                info: Array("credential".utf8),
                outputByteCount: 32
            )
            func sealed(_ bytes: [UInt8]) throws -> Data { try #require(try AES.GCM.seal(bytes, using: key).combined) }
            let old = try DatabaseQueue(path: path, configuration: .patient)
            try Schema.migrator.migrate(old)
            let (privateKey, certificate) = (
                try sealed(Array(Self.credential.privateKey.utf8)), try sealed([1, UInt8(ascii: "p"), 7])
            )
            let (secret, other) = (try sealed(Array("0123456789".utf8)), Data(repeating: 3, count: 40))
            try await old.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
                        VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', x'00', 'App', 'com.example', 'production', 0),
                            (2, 'bbbbbbbbbbbbbbbbbbbbbbbb', x'00', 'App', 'com.example', 'production', 0);
                        INSERT INTO developer VALUES (1, 'dddddddddddddddddddddddd', x'00', 'D', 1, 0);
                        """
                )
                try database.execute(
                    sql: "INSERT INTO credential VALUES (1, 'ABC123DEFG', 'TEAM123456', ?, 0), (2, 'k', 't', ?, 0)",
                    arguments: [privateKey, other]
                )
                try database.execute(
                    sql: "INSERT INTO certificate VALUES (1, 'production', ?, 't', 0, x'', NULL, 0)",
                    arguments: [certificate]
                )
                try database.execute(
                    sql:
                        "INSERT INTO ownedApp VALUES (1, 1, 'cn.example', NULL, ?, 0), (2, 1, 'cn.deleted', NULL, x'', 0)",
                    arguments: [secret]
                )
            }
            try old.close()
            let store = try SQLiteStore(path: path)
            let vault = CredentialVault(store: store, keys: testKeys)
            await #expect(throws: CryptoKitError.self) { try await vault.credential(of: 1) }
            try await vault.bindSeals()
            #expect(try await vault.credential(of: 1) == Self.credential)
            let kept = try #require(try await vault.certificate(of: 1, .production))
            #expect((kept.passPhrase, kept.file) == ("p", [7]))
            let (owned, bound) = try await store.database.read { database in
                (
                    Array(
                        try #require(
                            try Data.fetchOne(database, sql: "SELECT sealedSecret FROM ownedApp WHERE app = 1")
                        )
                    ),
                    try Int.fetchAll(database, sql: "SELECT isBound FROM credential ORDER BY app")
                )
            }
            let appKey = try #require(AppKey(String(repeating: "a", count: 24)))
            #expect(try CredentialSeal(testKeys).open(owned, at: .masterSecret(appKey)) == Array("0123456789".utf8))
            #expect(bound == [1, 0], "What was never sealed with this secret stays as it is.")
            await #expect(throws: (any Error).self) { try await vault.credential(of: 2) }
            let before = try await store.credential(of: 1)
            try await vault.bindSeals()
            #expect(try await store.credential(of: 1) == before, "Once is enough.")
        }
    }
}
