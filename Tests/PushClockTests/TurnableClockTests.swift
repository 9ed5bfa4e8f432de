import FoundationEssentials
import PushClock
import Synchronization
import TestSupport
import Testing

@Suite("Turnable clock")
struct TurnableClockTests {
    @Test("A turn wakes who sleeps up to there, and nobody beyond", .suiteLimit)
    func turn() async throws {
        let clock = TurnableClock()
        let start = clock.now
        try await withThrowingTaskGroup(of: Int.self) { group in
            for hours in [1, 2, 48] {
                group.addTask {
                    try await clock.sleep(until: start.advanced(by: .seconds(3600 * hours)))
                    return hours
                }
            }
            try await eventually("somebody sleeps") { clock.nextDeadline != nil }
            clock.turn(by: .seconds(3600 * 3))
            var woken: Set<Int> = []
            for _ in 0..<2 { woken.insert(try #require(try await group.next())) }
            #expect(woken == [1, 2])
            group.cancelAll()
            await #expect(throws: CancellationError.self) { _ = try await group.next() }
        }
        #expect(clock.nextDeadline == nil)
    }

    @Test("The date moves with the turn, and never back")
    func date() {
        let clock = TurnableClock()
        let before = clock.date
        clock.turn(by: .seconds(86_400))
        #expect(clock.date.timeIntervalSince(before) >= 86_400)
        clock.turn(by: .seconds(-86_400))
        #expect(clock.date.timeIntervalSince(before) >= 86_400)
    }

    @Test("'Next' turns just as far as the next sleeper needs", .suiteLimit)
    func next() async throws {
        let clock = TurnableClock()
        #expect(clock.turnToNextDeadline() == nil)
        async let sleeper: Void = clock.sleep(until: clock.now.advanced(by: .seconds(600)))
        try await eventually("somebody sleeps") { clock.nextDeadline != nil }
        let turned = try #require(clock.turnToNextDeadline())
        #expect(turned > .seconds(590) && turned <= .seconds(600))
        try await sleeper
    }

    @Test("A clock that follows another takes part in its turns, and turns alone", .suiteLimit)
    func following() async throws {
        let leader = TurnableClock()
        leader.turn(by: .seconds(60))
        let follower = TurnableClock(following: leader)
        #expect(follower.turned == .seconds(60))
        async let sleeper: Void = follower.sleep(until: follower.now.advanced(by: .seconds(600)))
        try await eventually("somebody sleeps") { follower.nextDeadline != nil }
        leader.turn(by: .seconds(600))
        try await sleeper
        follower.turn(by: .seconds(5))
        #expect(leader.turned == .seconds(660))
        #expect(follower.turned == .seconds(665))
        #expect(follower.date.timeIntervalSince(leader.date) >= 4.9)
    }

    @Test("A sleep that is over returns at once")
    func past() async throws {
        let clock = TurnableClock()
        try await clock.sleep(until: clock.now)
    }
}
