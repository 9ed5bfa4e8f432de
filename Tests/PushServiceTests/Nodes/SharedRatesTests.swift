import PushClock
import PushService
import TestSupport
import Testing

@Suite("Shared rate limits", .suiteLimit)
struct SharedRatesTests {
    /// Runs with the rates of nodes that share a store.
    private func withRates(
        _ count: Int,
        _ body: ([SharedRates], NodesInMemory, VirtualClock) async throws -> Void
    ) async throws {
        try await TestNodes.withShared { shared, clock in
            var rates: [SharedRates] = []
            for number in 1...Int16(count) {
                let claim = try await shared.join(
                    NodeID(rawValue: number),
                    name: "",
                    status: NodeStatus(),
                    for: NodeLease.term
                )
                let membership = NodeMembership(claim, requestedAt: .zero, elapsed: clock.stopwatch())
                rates.append(SharedRates(store: shared, membership: membership, logger: silent))
            }
            try await body(rates, shared, clock)
        }
    }

    @Test("All nodes together allow the limit of many concurrent calls, within a tenth", arguments: [600, 50])
    func bound(limit: Int) async throws {
        try await withRates(3) { rates, _, clock in
            for _ in 0..<2 {
                let allowed = await withTaskGroup(of: Bool.self) { group in
                    for call in 0..<limit * 3 {
                        group.addTask { await rates[call % 3].take("app", limit: limit)?.isAllowed == true }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(allowed <= limit)
                #expect(allowed * 10 >= limit * 9)
                await clock.advance(by: .seconds(60))
            }
        }
    }

    @Test("A call that needs the store is not counted at once")
    func atOnce() async throws {
        try await withRates(1) { rates, _, _ in
            #expect(rates[0].takeAtOnce("app", limit: 20) == nil)
            let first = try #require(await rates[0].take("app", limit: 20))
            #expect(first.isAllowed && first.left == 19 && first.ends == .seconds(60))
            #expect(rates[0].takeAtOnce("app", limit: 20)?.left == 18)
            #expect(rates[0].takeAtOnce("app", limit: 20) == nil, "The portion is used up.")
            #expect(rates[0].takeAtOnce("other", limit: 20) == nil)
        }
    }
}
