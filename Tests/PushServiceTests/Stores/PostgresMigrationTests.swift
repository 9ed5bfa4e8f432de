import Foundation
import PostgresClient
import PostgresTestSupport
import PushClock
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("PostgreSQL databases of earlier versions", .suiteLimit)
struct PostgresMigrationTests {
    /// The number of migrations before credentials became a set.
    private static let before = 2

    /// Creates a database as a version before that left it: an app with a key, a certificate that is the same in both environments, and
    /// one for production alone, and a pause.
    private static func makeEarlier(_ url: String) async throws {
        let pool = try PostgresDatabase.pool(url)
        try await pool.transaction { connection in
            try connection.execute("CREATE TABLE schemaMigration (version bigint PRIMARY KEY, name text NOT NULL)")
            for (number, migration) in Schema.migrations.prefix(before).enumerated() {
                try connection.executeScript(migration.script)
                try connection.execute(
                    "INSERT INTO schemaMigration (version, name) VALUES ($1, $2)",
                    .int64(Int64(number + 1)),
                    .text(migration.name)
                )
            }
            try connection.executeScript(
                """
                INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt) VALUES
                    (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', '\\x00', 'A', 'com.example.a', 'production', 1000),
                    (2, 'bbbbbbbbbbbbbbbbbbbbbbbb', '\\x00', 'B', 'com.example.b', 'production', 2000);
                INSERT INTO credential VALUES (1, 'ABCDE12345', 'TEAM123456', '\\x01');
                INSERT INTO certificate VALUES
                    (1, 'development', '\\x02', 'com.example.a', 9000, '\\x07', 30),
                    (1, 'production', '\\x03', 'com.example.a', 9000, '\\x07', 30),
                    (2, 'production', '\\x04', 'com.example.b', 9000, '\\x08', NULL);
                INSERT INTO pause VALUES (1, 'production', 'credentialRefused', 'Forbidden', 5000),
                    (2, 'development', 'noCredential', 'none', 6000);
                """
            )
        }
        await pool.close()
    }

    @Test("The keys and certificates of each app become its set, with what they were used for, and its pauses stay")
    func credentials() async throws {
        let url = try await PostgresServer.shared.get().makeDatabase()
        try await Self.makeEarlier(url)
        let store = PostgresStore(try PostgresDatabase.pool(url))
        try await store.migrate()
        let all = try await store.credentials()
        #expect(
            all.map(\.app) == [1, 1, 2] && all.allSatisfy { $0.origin == .earlier && $0.answers == KnownAnswers() }
        )
        #expect(all[0].key == SealedCredential.Key(id: "ABCDE12345", teamID: "TEAM123456"))
        #expect(all[0].scope == CredentialScope() && all[0].sealed == [1])
        #expect(all[0].addedAt == Date(timeIntervalSince1970: 1))
        #expect(all[1].scope == CredentialScope(), "The same certificate in both environments is one credential.")
        #expect(all[1].certificate?.fingerprint == [7] && all[1].certificate?.warnedDays == 30 && all[1].sealed == [2])
        #expect(all[2].scope == CredentialScope(environments: [.production]))
        #expect(all[2].certificate?.bundleID == "com.example.b" && all[2].certificate?.topics == nil)
        let apps = try await store.apps()
        let now = Date(timeIntervalSince1970: 5)
        for environment in APNSEnvironment.allCases {
            for topic in TopicKind.allCases {
                let first = CredentialSet(of: apps[0], Array(all[..<2])).choice(for: topic, in: environment, at: now)
                #expect(first?.id == all[0].id)
                let second = CredentialSet(of: apps[1], [all[2]]).choice(for: topic, in: environment, at: now)
                #expect(second?.id == (environment == .production ? all[2].id : nil))
            }
        }
        let refused = Pause(reason: .credentialRefused, detail: "Forbidden", until: Date(timeIntervalSince1970: 5))
        #expect(try await store.pauses(of: 1) == [Destination(app: 1, environment: .production): refused])
        #expect(try await store.pauses(of: 2).keys.first == Destination(app: 2, environment: .development))
        // The set is one to which more can be added.
        let added = try await store.add(.key(of: 2))
        #expect(added > all[2].id)
        await store.close()
    }
}
