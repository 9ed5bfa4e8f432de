import Logging
import PostgresClient
import PostgresTestSupport
import PushStoreConformance
import Testing

@Suite("The contract for databases that others run", .timeLimit(.minutes(3)))
struct PostgresConformanceTests {
    @Test("A clause has a database of its own, which is gone afterwards")
    func databases() async throws {
        let server = try PostgresServer.shared.get()
        let conformance = try PostgresConformance(url: server.url())
        for clause in PostgresConformance.clauses.prefix(3) + PostgresConformance.sharedClauses.prefix(3) {
            try await conformance.check(clause)
        }
        let configuration = try PostgresConfiguration(url: server.url(), connections: 1)
        let pool = PostgresPool(configuration, logger: Logger(label: "tests"))
        let left = try await pool.run {
            try $0.execute("SELECT 1 FROM pg_database WHERE datname LIKE 'posthorn_conformance_%'").count
        }
        await pool.close()
        #expect(left == 0)
    }

    @Test("The clauses are those of the contract, each with its own promise")
    func clauses() {
        let single = PostgresConformance.clauses.map(\.testDescription)
        #expect(single == PushStoreContract.clauses.map(\.testDescription))
        #expect(single.count > 80)
        let shared = PostgresConformance.sharedClauses.map(\.testDescription)
        #expect(shared == SharedStoreContract.clauses.map(\.testDescription))
        #expect(shared.count > 10)
        #expect(Set(single + shared).count == single.count + shared.count)
    }

    @Test("A URL that is none is refused", arguments: ["", "mysql://x", "postgres://%zz"])
    func urls(_ url: String) {
        #expect(throws: (any Error).self) { try PostgresConformance(url: url) }
    }
}
