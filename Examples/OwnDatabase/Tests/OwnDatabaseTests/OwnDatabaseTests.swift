import Foundation
import PushStoreConformance
import Testing

private let url = ProcessInfo.processInfo.environment["POSTGRES_URL"]

@Suite("The database keeps the contract of stores", .enabled(if: url != nil, "POSTGRES_URL names no server"))
struct OwnDatabaseTests {
    @Test(arguments: PostgresConformance.clauses)
    func keeps(_ clause: PostgresConformance.Clause) async throws {
        try await PostgresConformance(url: try #require(url)).check(clause)
    }
}
