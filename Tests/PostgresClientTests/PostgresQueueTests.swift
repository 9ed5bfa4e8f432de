import Logging
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PostgresClient

@Suite("Queued statements of the PostgreSQL client", .suiteLimit)
struct PostgresQueueTests {
    /// Runs a body with a pool of one connection to a new database that has the table `thing`.
    private func withPool(_ body: (PostgresPool) async throws -> Void) async throws {
        let url = try await PostgresServer.shared.get().makeDatabase()
        let pool = try PostgresPool(PostgresConfiguration(url: url, connections: 1), logger: Logger(label: "tests"))
        do {
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8 PRIMARY KEY)") }
            try await body(pool)
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    private func things(_ pool: PostgresPool) async throws -> [Int64] {
        try await pool.run { try $0.execute("SELECT id FROM thing ORDER BY id").map { $0.int64(0) } }
    }

    @Test("A queued statement is executed before the next one of any kind, and its rows are not among the results")
    func order() async throws {
        try await withPool { pool in
            try await pool.transaction { connection in
                connection.queue("INSERT INTO thing VALUES ($1)", 1)
                let rows = try connection.execute("SELECT count(*) FROM thing")
                #expect(rows.count == 1 && rows[0].int(0) == 1 && connection.queued.isEmpty)
                connection.queue("INSERT INTO thing VALUES ($1)", 2)
                connection.queue("INSERT INTO thing VALUES ($1)", 3)
                let results = try connection.pipeline([("SELECT count(*) FROM thing", []), ("SELECT 7", [])])
                #expect(results.count == 2 && results[0][0].int(0) == 3 && results[1][0].int(0) == 7)
                connection.queue("DELETE FROM thing WHERE id = $1", 1)
                try connection.executeScript("INSERT INTO thing VALUES (1)")
                connection.queue("DELETE FROM thing WHERE id = $1", 2)
                try connection.copy(into: "thing (id)", [[2]])
                // The last one is executed by the commit.
                connection.queue("INSERT INTO thing VALUES ($1)", 4)
            }
            let found = try await things(pool)
            #expect(found == [1, 2, 3, 4])
        }
    }

    @Test("The error of a queued statement ends the transaction, whether another statement follows or not")
    func failure() async throws {
        try await withPool { pool in
            for isFollowed in [true, false] {
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.transaction { connection in
                        try connection.execute("INSERT INTO thing VALUES ($1)", 1)
                        connection.queue("INSERT INTO thing VALUES ($1)", 1)
                        if isFollowed { try connection.execute("INSERT INTO thing VALUES ($1)", 2) }
                    } committed: { _ in
                        Issue.record("There was no commit.")
                    }
                }
                guard case .refused(PostgresError.uniqueViolation, _) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                let found = try await things(pool)
                #expect(found == [])
            }
        }
    }

    @Test("Another session sees the changes when the caller is told of the commit, and no lock is left")
    func committed() async throws {
        try await withPool { pool in
            let info = pool.configuration.info
            let seen = Mutex<Result<Int64, any Error>?>(nil)
            let result = try await pool.transaction { connection in
                connection.queue("LOCK TABLE thing")
                connection.queue("INSERT INTO thing VALUES ($1)", 5)
                return 7
            } committed: { result in
                #expect(result == 7)
                seen.withLock { seen in
                    seen = Result { try PostgresConnection(info).execute("SELECT id FROM thing")[0].int64(0) }
                }
            }
            #expect(result == 7)
            #expect(try seen.withLock { try $0?.get() } == 5)
        }
    }

    @Test("A transaction without a statement, ended by success or by an error, sends nothing and leaves nothing")
    func empty() async throws {
        struct Stop: Error {}
        try await withPool { pool in
            let before = try await pool.run { connection in
                let id = try connection.execute("SELECT pg_backend_pid()")[0].int(0)
                try connection.transaction { #expect(!$0.isInTransaction && $0.queued.count == 1) }
                #expect(throws: Stop.self) {
                    try connection.transaction { connection in
                        connection.queue("INSERT INTO thing VALUES ($1)", 1)
                        throw Stop()
                    }
                }
                #expect(connection.queued.isEmpty && !connection.isInTransaction)
                return id
            }
            try await pool.run { connection in
                let after = try connection.execute("SELECT pg_backend_pid()")[0].int(0)
                #expect(after == before)
            }
            let found = try await things(pool)
            #expect(found == [])
        }
    }

    @Test("A transaction on a connection that the server has closed meanwhile has no unknown outcome")
    func closed() async throws {
        let server = try PostgresServer()
        let connection = try PostgresConnection(PostgresConfiguration(url: server.url()).info)
        try server.control("-m immediate stop")
        let error = #expect(throws: PostgresError.self) {
            try connection.transaction { connection in
                connection.queue("CREATE TABLE thing (id int8)")
            }
        }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(connection.isBroken)
    }

    @Test("No session compiles statements")
    func compilation() async throws {
        try await withPool { pool in
            let setting = try await pool.run { try $0.execute("SHOW jit")[0].text(0) }
            #expect(setting == "off")
        }
    }
}
