import PushClock
import PushService
import PushStoreConformance
import Testing

@Suite("The stand-in for a shared store", .timeLimit(.minutes(2)))
struct NodesInMemoryTests {
    @Test("It keeps the promises of a shared store", arguments: SharedStoreContract.clauses)
    func contract(_ clause: SharedStoreContract.Clause) async throws {
        try await TestNodes.withShared { shared, clock in
            let fixture = SharedStoreContract.Fixture(
                data: [shared.store, shared.store],
                shared: [shared, shared],
                term: NodeLease.term,
                letTermPass: { await clock.advance(by: NodeLease.term) }
            )
            try await clause.check(fixture)
        }
    }
}
