import Foundation
import PushStoreConformance
import Testing

private let url = ProcessInfo.processInfo.environment["POSTGRES_URL"]

// One clause at a time: each has a database and several connections.
@Suite(
    "The database keeps the contract of stores",
    .serialized,
    .enabled(if: url != nil, "POSTGRES_URL names no server")
)
struct OwnDatabaseTests {
    @Test(arguments: PostgresConformance.clauses)
    func keeps(_ clause: PostgresConformance.Clause) async throws {
        try await PostgresConformance(url: try #require(url)).check(clause)
    }

    @Test("It keeps what several nodes need", arguments: PostgresConformance.sharedClauses)
    func keepsShared(_ clause: PostgresConformance.Clause) async throws {
        try await PostgresConformance(url: try #require(url)).check(clause)
    }
}
