import PushService
import Testing

@Suite("Gathered rings")
struct BellGatheringTests {
    @Test("The first ring is sent at once, and later ones together")
    func gathering() {
        var bell = BellGathering()
        func add(_ topics: BellTopics) -> Bool { bell.add(topics) }
        func next(at now: Duration) -> BellGathering.Step { bell.next(at: now) }
        #expect(next(at: .zero) == .idle)
        #expect(add(.feed))
        #expect(next(at: .zero) == .ring(.feed))
        #expect(add(.pushes))
        #expect(!add(.messages), "The ringer is awake already.")
        #expect(next(at: .milliseconds(1)) == .wait(until: .milliseconds(5)))
        #expect(next(at: .milliseconds(5)) == .ring([.pushes, .messages]))
        #expect(next(at: .milliseconds(5)) == .idle)
    }

    @Test("Nothing to tell wakes nobody")
    func nothing() {
        var bell = BellGathering()
        let wakes = bell.add([])
        let step = bell.next(at: .zero)
        #expect(!wakes)
        #expect(step == .idle)
    }

    @Test("Ten thousand changes in a second are 200 rings", arguments: [10_000, 1_000])
    func bound(changes: Int) {
        var bell = BellGathering()
        var rings = 0
        for change in 0..<changes {
            let now = Duration.seconds(1) * change / changes
            _ = bell.add(.feed)
            if case .ring = bell.next(at: now) { rings += 1 }
        }
        #expect(rings == 200)
    }
}
