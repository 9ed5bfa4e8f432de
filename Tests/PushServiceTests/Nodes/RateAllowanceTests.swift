import PushService
import Testing

/// The shared windows of one caller, in memory.
private struct SharedWindow {
    let limit: Int
    var window: Int64 = 0
    var used = 0
    var end = Duration.zero

    mutating func take(_ calls: Int, at now: Duration) -> RateShare {
        if now >= end { (window, used, end) = (window + 1, 0, now + .seconds(60)) }
        let granted = min(calls, limit - used)
        used += granted
        return RateShare(window: window, calls: granted, left: limit - used, ends: end - now)
    }
}

@Suite("A rate limit shared by nodes")
struct RateAllowanceTests {
    /// Lets nodes answer calls in turn, each by the weight of its load.
    private func allowed(limit: Int, loads: [Int], calls: Int, at now: Duration = .zero) -> Int {
        var shared = SharedWindow(limit: limit)
        var nodes = [RateAllowance](repeating: RateAllowance(), count: loads.count)
        let turns = loads.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element) }
        var allowed = 0
        for call in 0..<calls {
            let node = turns[call % turns.count]
            for _ in 0..<2 {
                switch nodes[node].take(at: now, limit: limit, nodes: loads.count) {
                case .allowed: allowed += 1
                case .refused: break
                case .ask(let calls):
                    nodes[node].add(shared.take(calls, at: now), requestedAt: now)
                    continue
                }
                break
            }
        }
        return allowed
    }

    @Test(
        "However the calls are spread, at least nine tenths of the limit are allowed, and never more than all of it",
        arguments: [[1, 1, 1], [1, 0, 0], [100, 10, 1], [5, 3], [1]],
        [600, 100, 20, 2400]
    )
    func bounds(loads: [Int], limit: Int) {
        let allowed = allowed(limit: limit, loads: loads, calls: 40 * limit)
        #expect(allowed <= limit)
        #expect(allowed * 10 >= limit * 9 - 10 * loads.count)
    }

    @Test("A refused caller learns when the window ends, and is allowed again afterwards")
    func nextWindow() {
        var shared = SharedWindow(limit: 1)
        var node = RateAllowance()
        func take(at now: Duration) -> RateAllowance.Decision { node.take(at: now, limit: 1, nodes: 2) }
        #expect(take(at: .seconds(5)) == .ask(calls: 1))
        node.add(shared.take(1, at: .seconds(5)), requestedAt: .seconds(5))
        #expect(take(at: .seconds(6)) == .allowed(left: 0, ends: .seconds(59)))
        #expect(take(at: .seconds(7)) == .refused(ends: .seconds(58)))
        #expect(take(at: .seconds(65)) == .ask(calls: 1))
    }

    @Test("Calls of another window are void, also if the store's clock went back")
    func windows() {
        var node = RateAllowance()
        node.add(RateShare(window: 2, calls: 10, left: 0, ends: .seconds(60)), requestedAt: .zero)
        node.add(RateShare(window: 1, calls: 1, left: 0, ends: .seconds(60)), requestedAt: .seconds(60))
        func take() -> RateAllowance.Decision { node.take(at: .seconds(61), limit: 10, nodes: 1) }
        #expect(take() == .allowed(left: 0, ends: .seconds(59)))
        #expect(take() == .refused(ends: .seconds(59)))
    }
}
