import Foundation
import GRDB
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("Databases of earlier versions", .suiteLimit)
struct MigrationTests {
    /// The data folder of version 0.1.0, as `sqlite3 posthorn.sqlite .dump` wrote it: a row in each table, and a push that waits.
    private static let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Baseline/0.1.0.sql"
    )

    @Test("A service opens the database of version 0.1.0, loses no row, and sends what waits")
    func baseline() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "posthorn.sqlite").path
            let dump = try String(contentsOf: Self.fixture, encoding: .utf8)
            let queue = try DatabaseQueue(path: path, configuration: .patient)
            try await queue.writeWithoutTransaction { try $0.execute(sql: dump) }
            try queue.close()
            let before = try await Self.counts(at: path)
            #expect(before.filter { $0.value == 0 }.isEmpty, "Each table has a row.")
            try SQLiteStore(path: path).close()
            let migrated = try await Self.counts(at: path)
            // The key and the certificate are credentials of one set, and the pause is in a table of another shape.
            for (table, count) in Self.moved(before) { #expect(migrated[table] == count, "\(table)") }
            // When the push of the fixture was accepted.
            let clock = VirtualClock(date: Date(timeIntervalSince1970: 1_767_225_600))
            try await TestService.run(in: folder, clock: clock) { service in
                try await service.waitForSent(1)
                #expect(service.app.bundleID == "com.example")
                let device = try #require(try await service.store.device(DeviceID(app: 1, ordinal: 0)))
                #expect(device.alias == "bob" && device.tags == ["a", "b"] && device.badge == 4)
                #expect(device.language == "en" && device.mobile == "123")
                #expect(service.core.registry.devices(withAlias: "bob", of: 1) == [device.id])
                let first = PushResult(messageID: MessageID(7), sendno: 3)
                #expect(try await service.store.result(ofCID: "c", app: 1, since: clock.date) == first)
                try await Self.expectCredentials(of: service)
                #expect(try await service.store.user("ana")?.role == .admin)
            }
            let database = try DatabaseQueue(path: path, configuration: .patient)
            try await database.read { database in
                let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check")
                #expect(integrity == ["ok"])
                let problems = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
                #expect(problems.isEmpty)
                let after = try Self.counts(in: database)
                for (table, count) in Self.moved(before) where table != "destinationPause" {
                    #expect(after[table, default: 0] >= count, "\(table)")
                }
                for table in ["app", "device", "message", "chunk", "cid", "schedule", "scheduleFiring"] {
                    #expect(after[table] == before[table], "\(table)")
                }
            }
        }
    }

    /// Returns the numbers of rows by the tables that they are in after the migrations.
    private static func moved(_ counts: [String: Int]) -> [String: Int] {
        var counts = counts
        counts["appCredential"] =
            (counts.removeValue(forKey: "credential") ?? 0)
            + (counts.removeValue(forKey: "certificate") ?? 0)
        counts["destinationPause"] = counts.removeValue(forKey: "pause")
        return counts
    }

    /// Expects the key of the fixture, for both environments and all topics, and its certificate for its environment.
    private static func expectCredentials(of service: TestService) async throws {
        let credentials = try await service.store.credentials(of: 1)
        let key = try #require(credentials.first { $0.key != nil })
        #expect(key.key?.id == "ABCDE12345" && key.origin == .earlier)
        #expect(key.scope == CredentialScope() && key.answers == KnownAnswers())
        let certificate = try #require(credentials.first { $0.certificate != nil })
        #expect(certificate.certificate?.bundleID == "t" && certificate.certificate?.topics == nil)
        #expect(certificate.scope.environments.count == 1 && !certificate.scope.namesEnvironments)
        let set = CredentialSet(of: service.app, credentials)
        for environment in APNSEnvironment.allCases {
            for topic in TopicKind.allCases {
                let chosen = set.choice(for: topic, in: environment, at: service.clock.date)
                #expect(chosen == key, "Nothing is sent with another credential than before.")
            }
        }
    }

    /// Returns the number of rows of each table, except the one that names the migrations.
    private static func counts(in database: Database) throws -> [String: Int] {
        let tables = try String.fetchAll(
            database,
            sql: """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND name <> 'grdb_migrations' AND name NOT LIKE 'sqlite%'
                """
        )
        return try tables.reduce(into: [:]) { counts, table in
            counts[table] = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
        }
    }

    private static func counts(at path: String) async throws -> [String: Int] {
        let queue = try DatabaseQueue(path: path, configuration: .patient)
        defer { try? queue.close() }
        return try await queue.read(counts)
    }

    @Test("A database of a newer version is refused, with what to do, and stays as it is")
    func newerVersion() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "posthorn.sqlite").path
            try SQLiteStore(path: path).close()
            let queue = try DatabaseQueue(path: path, configuration: .patient)
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 of the future')") }
            func applied() async throws -> [String] {
                try await queue.read { try String.fetchAll($0, sql: "SELECT * FROM grdb_migrations ORDER BY rowid") }
            }
            let before = try await applied()
            let error = #expect(throws: NewerDatabase.self) { try SQLiteStore(path: path) }
            let sentence = "was written by a newer version of Posthorn; use that version, or another data folder."
            #expect(error?.description == "The database \(path) \(sentence)")
            #expect(try await applied() == before)
        }
    }

    @Test("A database of a version before 0.1.0 is refused, with what to do, and stays as it is")
    func olderVersion() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "posthorn.sqlite").path
            let queue = try DatabaseQueue(path: path, configuration: .patient)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                        INSERT INTO grdb_migrations VALUES ('1 the road'), ('2 devices, tags and aliases');
                        CREATE TABLE app (id INTEGER PRIMARY KEY)
                        """
                )
            }
            let error = #expect(throws: OlderDatabase.self) { try SQLiteStore(path: path) }
            let sentence =
                "was written by a version of Posthorn before 0.1.0, which no release reads. Use an empty data folder,"
            #expect(error?.description.hasPrefix("The database \(path) \(sentence)") == true)
            #expect(try await queue.read { try $0.columns(in: "app").count } == 1)
        }
    }

    @Test("A push to a group goes when its time is over and no message of it is left; an uploaded audience at its end")
    func groupPushesAndFiles() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            try await store.writes.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
                        VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', x'00', 'App', 'com.example', 'production', 0);
                        INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno)
                        VALUES (7, 1, 0, x'', 'production', 0, 0);
                        INSERT INTO appGroup (id, key, secretHash, name, createdAt) VALUES (1, 'g', x'00', 'G', 0);
                        INSERT INTO groupPush (id, appGroup, acceptedAt, answer)
                        VALUES ('old', 1, 1000, '{}'), ('kept', 1, 1000, '{}'), ('young', 1, 9000, '{}');
                        INSERT INTO groupPushMessage VALUES ('old', 1, 6), ('kept', 1, 7);
                        INSERT INTO audienceFile (id, owner, kind, content, createdAt, tellsExpiry, expiresAt)
                        VALUES ('ended', 'o', 'alias', x'', 0, 0, 8999), ('good', 'o', 'alias', x'', 0, 0, 9000);
                        """
                )
            }
            let date = Date(timeIntervalSince1970: 2)
            let now = Date(timeIntervalSince1970: 9)
            while try await store.deleteGroupPushes(acceptedBefore: date, filesEndedBefore: now, limit: 1) {}
            let (pushes, messages, files) = try await store.database.read { database in
                (
                    try String.fetchAll(database, sql: "SELECT id FROM groupPush ORDER BY id"),
                    try Int.fetchAll(database, sql: "SELECT message FROM groupPushMessage"),
                    try String.fetchAll(database, sql: "SELECT id FROM audienceFile")
                )
            }
            #expect(pushes == ["kept", "young"])
            #expect(messages == [7])
            #expect(files == ["good"])
        }
    }

    @Test("A device that is deleted takes the ids of others with it; one that is written anew keeps them")
    func importedIDsGoWithTheirDevice() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            let queue = try DatabaseQueue(path: path, configuration: .patient)
            try Schema.migrator.migrate(queue)
            let counts = try await queue.write { database in
                let device = """
                    INSERT OR REPLACE INTO device (app, ordinal, installation, secretHash, environment, tokenRegisteredAt, tags,
                        badge, system, lastSeen, version)
                    VALUES (1, 0, 'i', x'', 'production', 0, '[]', 0, '', 0, 1);
                    """
                try database.execute(
                    sql: """
                        INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
                        VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', x'00', 'App', 'com.example', 'production', 0);
                        \(device)
                        INSERT INTO importedID VALUES (1, 'f0', 0, 1);
                        \(device)
                        """
                )
                let before = try Int.fetchOne(database, sql: "SELECT count(*) FROM importedID")
                try database.execute(sql: "DELETE FROM device")
                return [before, try Int.fetchOne(database, sql: "SELECT count(*) FROM importedID")]
            }
            #expect(counts == [1, 0])
        }
    }
}
