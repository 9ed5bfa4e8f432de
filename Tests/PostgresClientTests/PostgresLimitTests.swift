import Foundation
import Logging
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PostgresClient

@Suite("Limits of the PostgreSQL client", .suiteLimit)
struct PostgresLimitTests {
    private struct NotUnavailable: Error {}

    /// Runs a body with a pool whose statements have two seconds.
    private func withPool(_ body: (PostgresPool) async throws -> Void) async throws {
        var configuration = try PostgresConfiguration(
            url: try await PostgresServer.shared.get().makeDatabase(),
            connections: 2
        )
        configuration.limit = .seconds(2)
        let pool = PostgresPool(configuration, logger: Logger(label: "tests"))
        do { try await body(pool) } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    /// The process of the server that serves a connection.
    private static func process(_ connection: PostgresConnection) throws -> pid_t {
        pid_t(try connection.execute("SELECT pg_backend_pid()")[0].int(0))
    }

    /// Returns the reason for which a body failed.
    private func unavailability(_ body: () async throws -> Void) async throws -> String {
        do { try await body() } catch PostgresError.unavailable(let reason) { return reason }
        throw NotUnavailable()
    }

    @Test("A statement that takes too long is given up by the server, and the connection goes on")
    func slowStatement() async throws {
        try await withPool { pool in
            let first = try await pool.run { try Self.process($0) }
            let reason = try await unavailability {
                _ = try await pool.run { try $0.execute("SELECT pg_sleep(100)").count }
            }
            #expect(reason.contains("statement timeout"))
            #expect(try await pool.run { try Self.process($0) } == first)
            // A body may have more time, and the usual limit applies afterwards, also after a failure.
            try await pool.transaction { connection in
                try connection.allowing(.seconds(30)) { _ = try connection.execute("SELECT pg_sleep(2.2)") }
            }
            await #expect(throws: PostgresError.self) {
                try await pool.transaction { connection in
                    try connection.allowing(.seconds(30)) { try connection.executeScript("SELECT 1 / 0") }
                }
            }
            #expect(try await pool.run { try $0.execute("SHOW statement_timeout")[0].text(0) } == "2s")
        }
    }

    @Test(
        "A stopped server process is considered lost, in each way of using it",
        arguments: ["one", "many", "copy"]
    )
    func stopped(_ way: String) async throws {
        try await withPool { pool in
            try await pool.run { try $0.executeScript("CREATE TABLE thing (id int8, name text)") }
            let process = try await pool.run { try Self.process($0) }
            defer { kill(process, SIGCONT) }
            let start = ContinuousClock.now
            let reason = try await unavailability {
                try await pool.run { connection in
                    #expect(try Self.process(connection) == process && kill(process, SIGSTOP) == 0)
                    let name = String(repeating: "x", count: 10_000)
                    switch way {
                    case "one": try connection.execute("SELECT 1")
                    // More than the buffers of the socket take.
                    case "many":
                        let insert = ("INSERT INTO thing VALUES ($1, $2)", [PostgresValue.int64(1), .text(name)])
                        _ = try connection.pipeline(Array(repeating: insert, count: 2000))
                    default:
                        let rows = (1...2000).lazy.map { [PostgresValue.int64(Int64($0)), .text(name)] }
                        try connection.copy(into: "thing (id, name)", rows)
                    }
                }
            }
            #expect(reason.contains("it must answer within 2.0 seconds"))
            #expect(ContinuousClock.now - start < .seconds(30))
            // Another process serves the next call.
            #expect(try await pool.run { try Self.process($0) } != process)
        }
    }

    @Test("A process that stops gives up waiting for a server that is stopped, and opens no connection")
    func givingUp() async throws {
        try await withPool { pool in
            let process = try await pool.run { try Self.process($0) }
            defer { kill(process, SIGCONT) }
            let isOver = Mutex(false)
            pool.configuration.givingUp.apply { isOver.withLock { $0 } }
            #expect(try await pool.run { try Self.process($0) } == process, "It does not apply yet.")
            for way in ["waiting", "connecting"] {
                let reason = try await unavailability {
                    try await pool.run { connection in
                        #expect(kill(process, SIGSTOP) == 0)
                        // More time than the test has.
                        connection.limit = .seconds(1000)
                        isOver.withLock { $0 = true }
                        try connection.execute("SELECT 1")
                    }
                }
                #expect(reason == "this process stops, and the server does not answer", "\(way)")
            }
            isOver.withLock { $0 = false }
            #expect(try await pool.run { try Self.process($0) } != process)
        }
    }

    @Test("A server process that is stopped during a commit leaves an unknown outcome")
    func stoppedCommit() async throws {
        try await withPool { pool in
            let process = try await pool.run { try Self.process($0) }
            defer { kill(process, SIGCONT) }
            do {
                try await pool.transaction { connection in
                    let own = try Self.process(connection)
                    #expect(own == process && kill(process, SIGSTOP) == 0)
                }
                Issue.record("The commit has succeeded.")
            } catch PostgresError.unknownOutcome(let reason) {
                #expect(reason.contains("has sent nothing"))
            }
        }
    }

    @Test("A transaction that stands still is ended by the server, so that its locks do not stay")
    func pause() async throws {
        try await withPool { pool in
            try await pool.run { connection in
                #expect(try connection.execute("SHOW idle_in_transaction_session_timeout")[0].text(0) == "10s")
                try connection.executeScript("SET idle_in_transaction_session_timeout = 1; BEGIN")
                try? connection.executeScript("SELECT pg_sleep(0)")
            }
            try await eventually("the session is ended") {
                await (try? pool.run { try $0.executeScript("ROLLBACK; SELECT 1") }) != nil
            }
        }
    }

    @Test("A server that is stopped as a whole does not hold up who connects")
    func stoppedServer() async throws {
        let server = try PostgresServer()
        let text = try String(contentsOfFile: "\(server.folder)/data/postmaster.pid", encoding: .utf8)
        let process = try #require(text.split(separator: "\n").first.flatMap { pid_t($0) })
        let pool = PostgresPool(
            try PostgresConfiguration(url: server.url() + "&connect_timeout=2"),
            logger: Logger(label: "tests")
        )
        #expect(kill(process, SIGSTOP) == 0)
        let reason = try await unavailability { _ = try await pool.run { $0.serverVersion } }
        #expect(kill(process, SIGCONT) == 0)
        #expect(reason.contains("timeout expired") && reason.contains("firewall"))
        await pool.close()
    }

    @Test("The server keeps a limited number of prepared statements, those that are used")
    func statements() async throws {
        try await withPool { pool in
            let prepared = try await pool.run { connection in
                for number in 0..<1000 {
                    try connection.execute("SELECT \(number)::int8")
                    #expect(try connection.execute("SELECT 'often'")[0].text(0) == "often")
                }
                _ = try connection.pipeline((0..<600).map { ("SELECT -\($0)::int8", []) })
                // Given up and prepared again.
                #expect(try connection.execute("SELECT 5::int8")[0].int(0) == 5)
                let often = "SELECT 1 FROM pg_prepared_statements WHERE statement = 'SELECT ''often'''"
                #expect(try connection.execute("SELECT 'often'")[0].text(0) == "often")
                #expect(try !connection.execute(often).isEmpty)
                let count = try connection.execute("SELECT count(*) FROM pg_prepared_statements")[0].int(0)
                // The statement that counts is one of them.
                #expect(connection.statements.count == count)
                return count
            }
            #expect(prepared <= StatementCache.limit && prepared > StatementCache.limit - 2 * StatementCache.step)
        }
    }
}
