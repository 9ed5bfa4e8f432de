import Crypto
import Foundation
import GRDB
import PushModel
import TestSupport
import Testing

@testable import PushService
@testable import PushStoreSQLite

@Suite("Sealed credentials", .suiteLimit)
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

    @Test("A row that is copied to another app does not open there, nor as another key")
    func copied() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let vault = CredentialVault(store: store, keys: testKeys)
            let own = try await store.createApp(try Self.draft("a"))
            let other = try await store.createApp(try Self.draft("b"))
            try await vault.add(Self.credential, of: own.id, at: Date(timeIntervalSince1970: 0))
            let stored = try await store.credentials(of: own.id)[0]
            #expect(try vault.open(stored) == .key(Self.credential))
            for (column, value) in [("app", "\(other.id)"), ("keyID", "'OTHER00000'"), ("teamID", "'OTHER00000'")] {
                let columns = "kind, origin, forDevelopment, forProduction, namesEnvironments, sealed, answers, addedAt"
                try await store.writes.write { database in
                    let rest = ["app", "keyID", "teamID"].filter { $0 != column }.joined(separator: ", ")
                    try database.execute(
                        sql: """
                            INSERT INTO appCredential (\(column), \(rest), \(columns))
                            SELECT \(value), \(rest), \(columns) FROM appCredential WHERE id = \(stored.id)
                            """
                    )
                }
            }
            let all = try await store.credentials()
            #expect(all.count == 4)
            for copy in all where copy.id != stored.id {
                #expect(throws: CryptoKitError.self) { try vault.open(copy) }
            }
        }
    }

    @Test("A secret that an earlier version sealed opens as a credential of that version alone")
    func earlier() throws {
        let seal = CredentialSeal(testKeys)
        let vault = CredentialVault(store: NoCredentials(), keys: testKeys)
        func credential(_ content: SealedCredential.Content, _ place: SealedPlace) throws -> SealedCredential {
            SealedCredential(
                id: 1,
                app: 7,
                content,
                origin: .earlier,
                sealed: try seal.seal([1, UInt8(ascii: "p"), 7], at: place),
                addedAt: Date(timeIntervalSince1970: 0)
            )
        }
        let key = SealedCredential.Content.key(SealedCredential.Key(id: "K", teamID: "T"))
        let certificate = SealedCredential.Content.certificate(
            SealedCredential.Certificate(bundleID: "b", topics: nil, notAfter: .distantFuture, fingerprint: [1])
        )
        #expect(throws: Never.self) { try vault.open(try credential(key, .providerKey(7))) }
        for environment in APNSEnvironment.allCases {
            guard
                case .certificate(let opened) = try vault.open(
                    try credential(certificate, .certificate(7, environment))
                )
            else { return #expect(Bool(false), "A certificate is one.") }
            #expect(opened.passPhrase == "p" && opened.file == [7])
        }
        #expect(throws: CryptoKitError.self) { try vault.open(try credential(key, .providerKey(8))) }
        var ofToday = try credential(key, .providerKey(7))
        ofToday.origin = .operator
        #expect(throws: CryptoKitError.self) { try vault.open(ofToday) }
    }
}

/// A store that is never asked.
private struct NoCredentials: CredentialStore {
    func credentials(of app: App.ID) async throws -> [SealedCredential] { [] }
    func credentials() async throws -> [SealedCredential] { [] }
    func change(_ change: CredentialChange, of app: App.ID) async throws -> CredentialChangeResult {
        throw StoreError.unavailable("There is no store.")
    }
    func record(_ answers: [KnownAnswers.Answer], of credential: SealedCredential.ID, app: App.ID) async throws {}
    func warned(of certificate: SealedCredential.ID, days: Int) async throws {}
    func pauses(of app: App.ID) async throws -> [Destination: Pause] { [:] }
}
