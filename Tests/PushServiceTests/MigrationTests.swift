import Foundation
import GRDB
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("Databases of earlier versions", .timeLimit(.minutes(5)))
struct MigrationTests {
    @Test(
        "A service opens the database of each earlier version, loses no row, and sends what waits",
        arguments: Schema.migrator.migrations
    )
    func eachVersion(_ version: String) async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let path = folder.appending(path: "posthorn.sqlite").path
            let before = try await Self.write(version, to: path, at: clock.date)
            #expect(before.filter { $0.value == 0 }.isEmpty, "Each table has a row.")
            try SQLiteStore(path: path).close()
            let migrated = try await Self.counts(at: path)
            for (table, count) in before { #expect(migrated[table] == count, "\(table)") }
            if before["callbackEvent"] != nil {
                let receivers = try await DatabaseQueue(path: path, configuration: .patient).read { database in
                    try String.fetchAll(
                        database,
                        sql: """
                            SELECT name || ' of ' || one.app || ', ' || waiting FROM callbackReceiver AS one
                            JOIN callbackEvent AS event ON event.receiver = one.id
                            JOIN callbackCount ON callbackCount.app = one.app
                            """
                    )
                }
                #expect(
                    receivers == ["https://x of 1, 1"],
                    "Events that wait have a receiver of their app, and are counted."
                )
            }
            try await TestService.run(in: folder, clock: clock, sender: ScriptedSender()) { service in
                try await service.waitForSent(1)
                #expect(service.app.bundleID == "com.example")
                let device = try #require(try await service.store.device(DeviceID(app: 1, ordinal: 0)))
                #expect(device.alias == "bob" && device.tags == ["a", "b"] && device.badge == 4)
                #expect(service.core.registry.devices(withAlias: "bob", of: 1) == [device.id])
                let first = PushResult(messageID: MessageID(7), sendno: 3)
                #expect(try await service.store.result(ofCID: "c", app: 1, since: clock.date) == first)
                #expect(try await service.store.credential(of: 1)?.keyID == "ABCDE12345")
            }
            let database = try DatabaseQueue(path: path, configuration: .patient)
            try await database.read { database in
                let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check")
                #expect(integrity == ["ok"])
                let problems = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
                #expect(problems.isEmpty)
                let after = try Self.counts(in: database)
                for (table, count) in before { #expect(after[table, default: 0] >= count, "\(table)") }
                for table in ["app", "credential", "device", "message", "chunk", "cid", "schedule", "scheduleFiring"]
                where before[table] != nil { #expect(after[table] == before[table], "\(table)") }
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

    /// Writes a database as a version would have left it, with a push that waits.
    ///
    /// - Returns: the number of rows by table.
    private static func write(_ version: String, to path: String, at date: Date) async throws -> [String: Int] {
        let queue = try DatabaseQueue(path: path, configuration: .patient)
        try Schema.migrator.migrate(queue, upTo: version)
        let now = Int64(date.timeIntervalSince1970 * 1000)
        let counts = try await queue.write { database -> [String: Int] in
            func has(_ column: String, in table: String) throws -> Bool {
                try database.tableExists(table) && database.columns(in: table).contains { $0.name == column }
            }
            try database.execute(
                sql: """
                    INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
                    VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', x'00', 'App', 'com.example', 'production', 0);
                    INSERT INTO credential (app, keyID, teamID, sealedPrivateKey)
                    VALUES (1, 'ABCDE12345', 'TEAM123456', x'01');
                    INSERT INTO setting (key, value) VALUES ('kept', x'01');
                    INSERT INTO pause VALUES (1, 'development', 'noCredential', 'none', \(now));
                    INSERT INTO device (app, ordinal, installation, secretHash, token, environment, tokenRegisteredAt, alias,
                        tags, badge, system, channel, lastSeen, version)
                    VALUES (1, 0, 'i', x'01', zeroblob(32), 'production', \(now), 'bob', '["a","b"]', 4, 'iOS', NULL, \(now), 7);
                    INSERT INTO cid VALUES (1, 'c', 7, 3, \(now));
                    INSERT INTO journeyEvent VALUES (7, 0, \(now), 'delivered');
                    """
            )
            try database.execute(
                sql: """
                    INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno, cid)
                    VALUES (7, 1, ?, ?, 'production', 86400, 3, 'c');
                    INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                        updatedAt)
                    VALUES (7, 0, 1, 'send', ?, 0, 0, 0, ?, 0, ?);
                    """,
                arguments: [now, Data(pushBody().utf8), Data(OrdinalList([0]).packed), now, now]
            )
            for table in ["chunk", "message"] where try has("lane", in: table) {
                // Lanes are numbered by app, environment and, once chunks have lease owners, delivery class.
                let lane = try has("leaseOwner", in: "chunk") ? 6 : 3
                try database.execute(sql: "UPDATE \(table) SET lane = ?", arguments: [lane])
            }
            let isByApp = try has("app", in: "callbackReceiver")
            for (table, row) in laterTables(at: now, isByApp) where try database.tableExists(table) {
                try database.execute(sql: "INSERT INTO \(table) \(row)")
            }
            for table in ["callback", "callbackEvent"] where try has("receiver", in: table) {
                try database.execute(sql: "UPDATE \(table) SET receiver = 1")
            }
            return try Self.counts(in: database)
        }
        try queue.close()
        return counts
    }

    /// A row for each table that was added after the first version; `now` is in milliseconds since 1970.
    ///
    /// - `isByApp`: whether receivers of callbacks belong to apps.
    private static func laterTables(at now: Int64, _ isByApp: Bool) -> [(table: String, row: String)] {
        [
            ("tag", "VALUES (1, 'a')"),
            (
                "schedule",
                "(id, app, name, isEnabled, trigger, push, createdAt, version) VALUES ('s', 1, 'S', 0, '{}', x'7b7d', \(now), 1)"
            ),
            ("scheduleCID", "VALUES (1, 'sc', 's', 'S', \(now))"),
            ("scheduleFiring", "(schedule, dueAt, at, message) VALUES ('s', \(now), \(now), 7)"),
            ("appGroup", "(id, key, secretHash, name, createdAt) VALUES (1, 'g', x'00', 'G', 0)"),
            ("appGroupMember", "VALUES (1, 1)"),
            ("groupPush", "(id, appGroup, acceptedAt, answer) VALUES ('p', 1, \(now), '{}')"),
            ("groupPushMessage", "VALUES ('p', 1, 7)"),
            (
                "audienceFile",
                "(id, owner, kind, content, createdAt, tellsExpiry, expiresAt) VALUES ('f', 'o', 'alias', x'62', 0, 0, \(now))"
            ),
            ("broadcast", "VALUES (1, 20000, 1)"), ("chunkReport", "VALUES (7, 0, x'01', x'', x'', \(now))"),
            ("deviceUse", "VALUES (1, 'DAY', '2026-01-01', 'new', 0, x'01')"),
            ("deviceUseCount", "VALUES (1, 'DAY', '2025-12-31', 'new', 1)"), ("deviceFloor", "VALUES (1, 0, 255)"),
            ("deletedMessage", "VALUES (1, 0, x'01', 31, \(now))"), ("developer", "VALUES (1, 'd', x'00', 'D', 1, 0)"),
            ("ownedApp", "(app, developer, package, sealedSecret) VALUES (1, 1, 'com.example', x'01')"),
            (
                "certificate",
                "(app, environment, sealed, topic, notAfter, fingerprint) VALUES (1, 'production', x'01', 't', \(now), x'01')"
            ),
            ("importedID", "VALUES (1, 'f0', 0, 0)"),
            ("channelToken", "VALUES (1, 0, 'voip', '', x'01', 'production', \(now))"),
            ("customMessage", "(app, message, expiresAt, onlyOrdinal) VALUES (1, 7, \(now), 0)"),
            ("messageCursor", "VALUES (1, 0, 1)"), ("voipPush", "VALUES (7, 7)"),
            (
                "callback",
                "(message, app, origin, isVoIP, url, params, kinds) VALUES (7, 1, 7, 0, 'https://x', '{}', 15)"
            ), ("callbackCount", "VALUES (1, 1)"),
            (
                "callbackEvent",
                "(message, kind, part, at, ordinals, dueAt\(isByApp ? ", receiver" : "")) "
                    + "VALUES (7, 8, 'notification', 0, x'00', \(now + 86_400_000)\(isByApp ? ", 1" : ""))"
            ),
            (
                "callbackReceiver",
                isByApp ? "(id, app, name) VALUES (1, 1, 'https://x')" : "(id, name) VALUES (1, 'https://x')"
            ),
            ("batch", "VALUES (1, 0, 0, 'alias', x'', x'')"),
            ("stepEvent", "VALUES (7, \(now), 'delivered', 0, 0, x'00')"),
            ("user", "VALUES ('ana', 'admin', '$scrypt$ln=1,r=1,p=1$AA==$AA==', \(now))"),
            ("audit", "(id, at, actor, action, isDone) VALUES (1, \(now), 'ana', 'app.create', 1)"),
        ]
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
            let (date, now) = (Date(timeIntervalSince1970: 2), Date(timeIntervalSince1970: 9))
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

    @Test("A database from before mobiles and kept tags opens with all it has, and takes both")
    func fromTheRoad() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            let old = try DatabaseQueue(path: path, configuration: .patient)
            try Schema.migrator.migrate(old, upTo: "1 the road")
            try await old.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO app VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', x'00', 'App', 'com.example', 'production', 0);
                        INSERT INTO device (app, ordinal, installation, secretHash, token, environment, tokenRegisteredAt,
                            alias, tags, badge, system, channel, lastSeen, version)
                        VALUES (1, 0, 'i', x'01', x'0203', 'production', 1000, 'bob', '["a","b"]', 4, 'iOS', NULL, 2000, 7);
                        """
                )
            }
            try old.close()
            let store = try SQLiteStore(path: path)
            let id = DeviceID(app: 1, ordinal: 0)
            let device = try #require(try await store.device(id))
            #expect(device.alias == "bob")
            #expect(device.tags == ["a", "b"])
            #expect(device.mobile == nil)
            #expect(device.version == 7)
            #expect(device.lastSeen == Date(timeIntervalSince1970: 2))
            #expect(try await store.storedTags() == [:])
            let changed = try await store.updateDevices([0], of: 1, keepingTags: ["c"]) { $0.mobile = "123" }
            #expect(changed.map(\.version) == [8])
            #expect(try await SQLiteStore(path: path).device(id)?.mobile == "123")
            #expect(try await store.storedTags() == [1: ["c"]])
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

    @Test("Pushes that wait, are under way or are spread over time go on in their lanes after leases have got owners")
    func waitingPushes() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            let old = try DatabaseQueue(path: path, configuration: .patient)
            try Schema.migrator.migrate(old, upTo: "12 batches")
            let one = Data(OrdinalList([5]).packed)
            let two = Data(OrdinalList([5, 6]).packed)
            try await old.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
                        VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', x'00', 'App', 'com.example', 'production', 0);
                        """
                )
                // Of production, as lanes were numbered then.
                let lane = 3
                for (id, ordinals) in [(1, one), (2, nil), (3, nil), (4, nil)] {
                    try database.execute(
                        sql: """
                            INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno, lane, unstarted)
                            VALUES (?, 1, 1000, x'7b7d', 'production', 60000, 1, ?, ?)
                            """,
                        arguments: [id, lane, ordinals]
                    )
                }
                // One under way, whose first device has had its push; one in two chunks; one that is paced.
                let chunks: [(Int, Int, Data, Bool, Bool, Int)] = [
                    (2, 0, two, false, true, 1), (3, 0, one, false, false, 0), (3, 1, one, false, false, 0),
                    (4, 0, one, true, false, 0),
                ]
                for (message, number, ordinals, isPaced, isLeased, cursor) in chunks {
                    try database.execute(
                        sql: """
                            INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt,
                                isLeased, isDone, cursor, updatedAt, lane)
                            VALUES (?, ?, 1, 'send', ?, 5, 6, ?, 1000, ?, 0, ?, 1000, ?)
                            """,
                        arguments: [message, number, ordinals, isPaced, isLeased, cursor, lane]
                    )
                }
            }
            try old.close()
            let store = try SQLiteStore(path: path)
            let now = Date(timeIntervalSince1970: 2)
            func leased(_ delivery: DeliveryClass) async throws -> [Chunk] {
                var chunks: [Chunk] = []
                let lane = Lane(app: 1, environment: .production, delivery)
                let claim = LeaseClaim(owner: .onlyNode, expiresAt: now.addingTimeInterval(60))
                while let lease = try await store.lease(lane, at: now, claim, devices: 500, besides: []) {
                    chunks += lease.items.map(\.chunk)
                }
                return chunks
            }
            // What the service before had leased it gives back at its start.
            try await store.releaseLeases(of: .onlyNode)
            let immediate = try await leased(.immediate)
            #expect(immediate.map(\.id.message.number).sorted() == [1, 2])
            #expect(immediate.first { $0.id.message == MessageID(2) }?.rest == [6])
            #expect(immediate.first { $0.id.message == MessageID(1) }?.rest == [5])
            let bulk = try await leased(.bulk)
            #expect(bulk.map(\.id.message.number).sorted() == [3, 3, 4])
        }
    }

    @Test("A database from before groups and files opens with its apps, and takes both")
    func fromSchedules() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            let old = try DatabaseQueue(path: path, configuration: .patient)
            try Schema.migrator.migrate(old, upTo: "3 schedules")
            try await old.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO app VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaa', x'00', 'App', 'com.example', 'production', 0);
                        INSERT INTO message VALUES (7, 1, 1000, x'7b7d', 'production', 60, 0, NULL);
                        INSERT INTO cid VALUES (1, 'c', 7, 3, 1000);
                        INSERT INTO chunk (message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt,
                            isDone, updatedAt)
                        VALUES (7, 0, 1, 'send', x'00', 0, 0, 0, 1000, 0, 1000);
                        """
                )
            }
            try old.close()
            let store = try SQLiteStore(path: path)
            let start = Date(timeIntervalSince1970: 1)
            let key = try #require(GroupKey(String(repeating: "g", count: 24)))
            let group = try await store.createGroup(
                AppGroup(id: 0, key: key, secretHash: SecretHash(of: "s"), name: "G", createdAt: start, apps: [1])
            )
            #expect(try await store.group(key) == group)
            #expect(try await store.countBroadcast(of: 1, day: 1, limit: 1))
            #expect(try await store.files(of: "k", at: start) == [])
            // What was accepted by the version before can be repeated and withdrawn.
            let first = PushResult(messageID: MessageID(7), sendno: 3)
            #expect(try await store.result(ofCID: "c", app: 1, since: start) == first)
            #expect(try await store.withdraw(MessageID(7), of: 1, since: start, at: start)?.count == 1)
            #expect(try await store.lease(at: start) == nil)
        }
    }
}
