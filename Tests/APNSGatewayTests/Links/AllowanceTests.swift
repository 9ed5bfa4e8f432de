import NetworkSupport
import TestSupport
import Testing

@Suite("Allowance", .suiteLimit)
struct AllowanceTests {
    /// Takes up to `count` pieces and says how many there were.
    private func take(_ count: Int, from allowance: inout Allowance, at now: UInt64) -> Int {
        (0..<count).reduce(0) { sum, _ in sum + (allowance.take(at: now) ? 1 : 0) }
    }

    @Test("Takes a burst, refuses, and grows back with time")
    func growsBack() {
        var allowance = Allowance(.init(burst: 3, perSecond: 2))
        let taken = [1000, 1499, 1500, 1_000_000].map { take(4, from: &allowance, at: $0) }
        #expect(taken == [3, 0, 1, 3])
    }

    @Test("Many short looks let it grow as much as one long one")
    func shortLooks() {
        var allowance = Allowance(.init(burst: 10, perSecond: 10))
        _ = take(20, from: &allowance, at: 1)
        let taken = (2...1001).reduce(0) { $0 + take(1, from: &allowance, at: $1) }
        #expect((9...10).contains(taken))
    }

    @Test("Earns up to its burst; time that goes back is none")
    func earns() {
        var allowance = Allowance(.init(burst: 2, perSecond: 0))
        let first = take(3, from: &allowance, at: 5)
        allowance.earn(100)
        let second = take(3, from: &allowance, at: 4)
        #expect([first, second] == [2, 2])
        let third = take(1, from: &allowance, at: .max)
        #expect(third == 0)
    }
}
