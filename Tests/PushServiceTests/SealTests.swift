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
                        INSERT INTO credential (app, keyID, teamID, sealedPrivateKey)
                        SELECT ?, keyID, teamID, sealedPrivateKey FROM credential WHERE app = ?
                        """,
                    arguments: [other.id, own.id]
                )
                for (app, environment) in [(own.id, "development"), (own.id, "production"), (other.id, "development")] {
                    try database.execute(
                        sql: "INSERT INTO certificate VALUES (?, ?, ?, 't', 0, x'', NULL)",
                        arguments: [app, environment, Data(sealed)]
                    )
                }
            }
            await #expect(throws: CryptoKitError.self) { try await vault.credential(of: other.id) }
            #expect(try await vault.certificate(of: own.id, .development)?.passPhrase == "p")
            await #expect(throws: CryptoKitError.self) { try await vault.certificate(of: own.id, .production) }
            await #expect(throws: CryptoKitError.self) { try await vault.certificate(of: other.id, .development) }
        }
    }
}
