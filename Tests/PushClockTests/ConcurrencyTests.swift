import PushClock
import Synchronization
import TestSupport
import Testing

@Suite("Announcement")
struct AnnouncementTests {
    @Test("The first value reaches those who wait and those who come later", .suiteLimit)
    func once() async throws {
        let announcement = Announcement<Int>()
        async let early = announcement.value
        #expect(!announcement.isMade)
        announcement.make(.success(1))
        announcement.make(.success(2))
        #expect(try await early == 1)
        #expect(try await announcement.value == 1)
        #expect(announcement.isMade)
    }

    @Test("A cancelled task stops waiting", .suiteLimit)
    func cancelled() async {
        let announcement = Announcement<Int>()
        let waiting = Task { try await announcement.value }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!announcement.isMade)
    }
}

@Suite("Mutex with a suspending holder")
struct AsyncMutexTests {
    private final class Order: Sendable {
        private let seen = Mutex<[Int]>([])
        var numbers: [Int] { seen.withLock(\.self) }
        func add(_ number: Int) { seen.withLock { $0.append(number) } }
    }

    @Test("One body runs at a time", .suiteLimit)
    func exclusive() async throws {
        let mutex = AsyncMutex()
        let order = Order()
        let release = Announcement<Void>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    try await mutex.withLock {
                        order.add(number)
                        try await release.value
                        await Task.yield()
                        order.add(number)
                    }
                }
                // The first has the mutex.
                if number == 0 { try await eventually("the first runs") { order.numbers == [0] } }
            }
            release.make(.success(()))
            try await group.waitForAll()
        }
        let seen = order.numbers
        #expect(seen.count == 10)
        #expect(stride(from: 0, to: 10, by: 2).allSatisfy { seen[$0] == seen[$0 + 1] })
        #expect(Set(seen) == [0, 1, 2, 3, 4])
    }

    @Test("An error leaves the mutex free")
    func failing() async throws {
        struct Failure: Error {}
        let mutex = AsyncMutex()
        await #expect(throws: Failure.self) { try await mutex.withLock { throw Failure() } }
        #expect(await mutex.withLock { 7 } == 7)
    }
}

@Suite("Timeout")
struct TimeoutTests {
    @Test("A result in time is returned", .suiteLimit)
    func inTime() async throws {
        #expect(try await withTimeout(.seconds(1000)) { 7 } == 7)
    }

    @Test("Work that takes too long is cancelled", .suiteLimit)
    func late() async throws {
        let clock = VirtualClock()
        let never = Announcement<Int>()
        async let result = withTimeout(.seconds(10), clock: clock) { try await never.value }
        try await eventually("the timeout runs") { clock.nextDeadline != nil }
        await clock.advance(by: .seconds(10))
        #expect(try await result == nil)
    }

    @Test("An error of the body is thrown", .suiteLimit)
    func failing() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await withTimeout(.seconds(1000)) { throw Failure() } }
    }
}
