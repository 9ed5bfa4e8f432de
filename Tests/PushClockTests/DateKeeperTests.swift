import Foundation
import PushClock
import Synchronization
import TestSupport
import Testing

@Suite("Keeper of dates", .suiteLimit)
struct DateKeeperTests {
    /// Work that notes when it ran, and has dates to run at.
    private final class Work: Sendable {
        private let clock: VirtualClock
        private let start: Date
        private let state: Mutex<(runs: [TimeInterval], dates: [TimeInterval])>

        init(on clock: VirtualClock, dates: [TimeInterval] = []) {
            self.clock = clock
            start = clock.date
            state = Mutex(([], dates))
        }

        /// The seconds from the start to each run.
        var runs: [TimeInterval] { state.withLock(\.runs) }

        func add(_ date: TimeInterval) { state.withLock { $0.dates.append(date) } }

        func run() -> Date? {
            let now = clock.date.timeIntervalSince(start)
            return state.withLock { state in
                state.runs.append(now)
                state.dates.removeAll { $0 <= now }
                return state.dates.min().map { start.addingTimeInterval($0) }
            }
        }
    }

    private func keeping(_ work: Work, on clock: VirtualClock, _ body: (DateKeeper) async throws -> Void) async throws {
        let keeper = DateKeeper()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run(on: clock) { work.run() } }
            try await body(keeper)
            group.cancelAll()
        }
    }

    @Test("Work waits until the keeper is woken, then runs at each of its dates")
    func dates() async throws {
        let clock = VirtualClock()
        let work = Work(on: clock, dates: [10, 30])
        try await keeping(work, on: clock) { keeper in
            await clock.advance(by: .seconds(5))
            #expect(work.runs.isEmpty)
            keeper.wake()
            try await clock.sleeper(for: .seconds(5))
            #expect(work.runs == [5])
            await clock.advance(by: .seconds(5))
            try await clock.sleeper(for: .seconds(20))
            await clock.advance(by: .seconds(20))
            try await eventually("the last date is kept") { work.runs == [5, 10, 30] }
            #expect(clock.nextDeadline == nil)
        }
    }

    @Test("An earlier date takes the place of the one that the keeper sleeps for")
    func earlier() async throws {
        let clock = VirtualClock()
        let work = Work(on: clock, dates: [100])
        try await keeping(work, on: clock) { keeper in
            keeper.wake()
            try await clock.sleeper(for: .seconds(100))
            work.add(20)
            keeper.wake()
            try await clock.sleeper(for: .seconds(20))
            await clock.advance(by: .seconds(20))
            try await clock.sleeper(for: .seconds(80))
            #expect(work.runs == [0, 0, 20])
        }
    }

    @Test("A keeper woken before it runs starts with the work, once")
    func before() async throws {
        let clock = VirtualClock()
        let work = Work(on: clock, dates: [10])
        let keeper = DateKeeper()
        keeper.wake()
        keeper.wake()
        async let _: Void = keeper.run(on: clock) { work.run() }
        try await clock.sleeper(for: .seconds(10))
        #expect(work.runs == [0])
        await clock.advance(by: .seconds(10))
        try await eventually("the date is kept") { work.runs == [0, 10] }
    }

    @Test("A call during the work makes it run again")
    func during() async throws {
        let clock = VirtualClock()
        let work = Work(on: clock)
        let keeper = DateKeeper()
        keeper.wake()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await keeper.run(on: clock) {
                    if work.runs.isEmpty { keeper.wake() }
                    return work.run()
                }
            }
            try? await eventually("the work runs again") { work.runs.count == 2 }
            group.cancelAll()
        }
        #expect(work.runs == [0, 0])
    }
}
