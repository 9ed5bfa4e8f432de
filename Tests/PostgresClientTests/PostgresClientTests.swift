import Logging
import PostgresTestSupport
import TestSupport
import Testing

@testable import PostgresClient

@Suite("PostgreSQL client", .suiteLimit)
struct PostgresClientTests {
    /// Runs a body with a pool on a new database.
    private func withPool(connections: Int = 4, _ body: (PostgresPool) async throws -> Void) async throws {
        let url = try await PostgresServer.shared.get().makeDatabase()
        let pool = try PostgresPool(
            PostgresConfiguration(url: url, connections: connections),
            logger: Logger(label: "tests")
        )
        do { try await body(pool) } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    @Test("Values come back as they were sent, of each type, with NULL and at the ends of their ranges")
    func values() async throws {
        try await withPool { pool in
            try await pool.run { connection in
                let rows = try connection.execute(
                    "SELECT $1, $2, $3, $4, $5, -0.5::float8, $6, $7",
                    .bool(true),
                    .bytes([0, 255, 10]),
                    .int64(.min),
                    .int32(.max),
                    .text("é\u{1F4EF}'\"\n"),
                    .text(nil),
                    .bytes([])
                )
                let row = rows[0]
                #expect(rows.count == 1)
                #expect(row.bool(0) && row.bytes(1) == [0, 255, 10] && row.int64(2) == .min)
                #expect(row.int64(3) == Int64(Int32.max) && row.text(4) == "é\u{1F4EF}'\"\n" && row.double(5) == -0.5)
                #expect(row.optionalText(6) == nil && row.isNull(6) && row.optionalBytes(7) == [])
            }
        }
    }

    @Test("Arrays come back as they were sent, empty ones too, and NULL among the elements is kept")
    func arrays() async throws {
        try await withPool { pool in
            try await pool.run { connection in
                let row = try connection.execute(
                    """
                    SELECT array_to_string($1, ' '), $2, array_to_string($3, ' '), cardinality($4), array_position($5, NULL)
                    """,
                    .int64s([1, .max, -1]),
                    .texts(["", "a,b{}", "中"]),
                    .byteArrays([[], [1, 0]]),
                    .int64s([]),
                    .texts(["a", nil])
                )[0]
                #expect(row.text(0) == "1 \(Int64.max) -1" && row.texts(1) == ["", "a,b{}", "中"])
                #expect(row.text(2) == "\\x \\x0100" && row.int64(3) == 0 && row.int64(4) == 2)
            }
        }
    }

    @Test(
        "A statement that fails leaves nothing of its transaction, names what was violated, and the connection goes on"
    )
    func refusal() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8 PRIMARY KEY)") }
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { connection in
                    try connection.execute("INSERT INTO thing VALUES ($1)", 1)
                    try connection.execute("INSERT INTO thing VALUES ($1)", 1)
                }
            }
            guard case .refused(let state, let message) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(
                state == PostgresError.uniqueViolation && message.contains("\"thing_pkey\"")
                    && message.contains("(id)=(1)")
            )
            #expect(try await pool.run { try $0.execute("SELECT count(*) FROM thing")[0].int(0) } == 0)
        }
    }

    @Test("A transaction in which a failure was ignored is not taken for committed")
    func ignoredFailure() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8 PRIMARY KEY)") }
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { connection in
                    try connection.execute("INSERT INTO thing VALUES ($1)", 1)
                    _ = try? connection.execute("INSERT INTO thing VALUES ($1)", 1)
                }
            }
            guard case .refused("25P02", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await pool.run { try $0.execute("SELECT count(*) FROM thing")[0].int(0) } == 0)
        }
    }

    @Test("A prepared statement whose table has changed is prepared again")
    func changedTable() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8); INSERT INTO thing VALUES (3)") }
            for column in ["one", "two"] {
                let first = try await pool.transaction { try $0.execute("SELECT * FROM thing")[0].int(0) }
                #expect(first == 3)
                try await pool.run { try $0.executeScript("ALTER TABLE thing ADD COLUMN \(column) text") }
            }
            #expect(try await pool.transaction { try $0.execute("SELECT * FROM thing")[0].isNull(2) })
        }
    }

    @Test("A pipeline answers each statement in order; after a failure the rest is not executed")
    func pipeline() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8 PRIMARY KEY, name text)") }
            try await pool.transaction { connection in
                var statements = (1...300).map { number -> PostgresConnection.Statement in
                    ("INSERT INTO thing VALUES ($1, $2)", [.int64(Int64(number)), .text("\(number)")])
                }
                statements.append(("SELECT count(*), max(name) FROM thing WHERE id <= $1", [10]))
                let results = try connection.pipeline(statements)
                #expect(results.count == 301 && results[0].affected == 1 && results[300][0].int(0) == 10)
            }
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { connection in
                    try connection.pipeline([
                        ("INSERT INTO thing VALUES ($1, $2)", [301, "a"]),
                        ("INSERT INTO thing VALUES ($1, $2)", [1, "b"]),
                        ("INSERT INTO thing VALUES ($1, $2)", [302, "c"]),
                    ]).count
                }
            }
            guard case .refused(PostgresError.uniqueViolation, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await pool.run { try $0.execute("SELECT count(*) FROM thing")[0].int(0) } == 300)
        }
    }

    @Test("COPY inserts many rows in the binary format, and none if one is refused")
    func copy() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.run { connection in
                try connection.executeScript("CREATE TABLE thing (id int8 PRIMARY KEY, name text, data bytea)")
                let count = try connection.copy(
                    into: "thing (id, name, data)",
                    (1...20_000).lazy.map { (id: Int64) -> [PostgresValue] in
                        [.int64(id), .text(id.isMultiple(of: 2) ? nil : "n\(id)"), .bytes([1, 2])]
                    }
                )
                #expect(count == 20_000)
                let row = try connection.execute("SELECT count(name), max(id), sum(length(data)) FROM thing")[0]
                #expect(row.int(0) == 10_000 && row.int(1) == 20_000 && row.int(2) == 40_000)
                #expect(throws: PostgresError.self) {
                    try connection.copy(
                        into: "thing (id, name, data)",
                        [[20_001, "x", .bytes(nil)], [7, "y", .bytes(nil)]]
                    )
                }
                #expect(try connection.execute("SELECT count(*) FROM thing")[0].int(0) == 20_000)
            }
        }
    }

    @Test("A transaction that meets another is run again and sees its changes")
    func conflict() async throws {
        try await withPool(connections: 8) { pool in
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8); INSERT INTO thing VALUES (0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await pool.transaction { connection in
                            try connection.executeScript("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
                            let old = try connection.execute("SELECT id FROM thing")[0].int64(0)
                            try connection.execute("UPDATE thing SET id = $1", .int64(old + 1))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await pool.run { try $0.execute("SELECT id FROM thing")[0].int(0) } == 4)
        }
    }

    @Test("A server that is not there is an error that says where, and one that restarts is found again")
    func restart() async throws {
        let server = try PostgresServer()
        let pool = try PostgresPool(
            PostgresConfiguration(url: server.url(), connections: 2),
            logger: Logger(label: "tests")
        )
        #expect(try await pool.run { $0.serverVersion } >= PostgresConnection.oldestServer)
        try server.control("-m immediate stop")
        // The first call may be the one that finds the connection dead.
        for _ in 0..<3 {
            let error = await #expect(throws: PostgresError.self) {
                try await pool.run { try $0.execute("SELECT 1").count }
            }
            guard case .unavailable(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(!reason.isEmpty)
        }
        try server.control("start")
        // The pool waits at most two seconds before it tries again.
        try await eventually("the server answers") {
            await (try? pool.run { try $0.execute("SELECT 1")[0].int(0) }) == 1
        }
        await pool.close()
    }

    @Test("A statement that the server refuses beside the commit leaves no doubt: nothing was stored")
    func refusedBesideCommit() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8)") }
            // As after a standby has taken over from a primary.
            await #expect(throws: PostgresError.unavailable("cannot execute INSERT in a read-only transaction")) {
                try await pool.transaction { connection in
                    connection.queue("SET TRANSACTION READ ONLY")
                    connection.queue("INSERT INTO thing VALUES ($1)", 1)
                }
            }
            #expect(try await pool.run { try $0.execute("SELECT count(*) FROM thing")[0].int(0) } == 0)
        }
    }

    @Test(
        "A commit whose connection is cut has an unknown outcome, also one that is sent with the last statement",
        arguments: [false, true]
    )
    func unknownOutcome(isQueued: Bool) async throws {
        try await withPool(connections: 2) { pool in
            try await pool.run { connection in
                // A deferred trigger holds up the commit itself.
                try connection.executeScript(
                    """
                    CREATE TABLE thing (id int8);
                    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                        'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END';
                    CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED
                        FOR EACH ROW EXECUTE FUNCTION wait();
                    """
                )
            }
            // The lock is this session's, so the commit waits for it.
            let holder = try PostgresConnection(pool.configuration.info)
            try holder.execute("SELECT pg_advisory_lock(7)")
            async let commit: Void = pool.transaction { connection in
                if isQueued { return connection.queue("INSERT INTO thing VALUES ($1)", 1) }
                try connection.execute("INSERT INTO thing VALUES ($1)", 1)
            } committed: { _ in
                Issue.record("The commit was answered.")
            }
            try await eventually("the commit waits for the lock") {
                let waiting = """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE wait_event = 'advisory' AND datname = current_database()
                    """
                return try await pool.run { try !$0.execute(waiting).isEmpty }
            }
            do {
                try await commit
                Issue.record("The commit has succeeded.")
            } catch PostgresError.unknownOutcome(let reason) {
                #expect(reason.contains("terminating connection"))
            }
        }
    }
}
