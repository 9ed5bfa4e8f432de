import Dispatch
import Foundation
import PushClock
import Synchronization
import TestSupport
import Testing

/// The events in their order.
private final class Diary: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// Runs tasks in the order in which they become ready.
private final class SerialTaskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "one after the other")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Waits, without time, until the clock has that deadline as its next; the sleepers lie down in tasks of their own.
private func untilNextDeadline(of clock: VirtualClock, is offset: Duration) async throws {
    try await clock.sleeper("the next deadline is \(offset)") { $0.offset == offset }
}

@Suite("Virtual clock", .suiteLimit)
struct VirtualClockTests {
    @Test("Stands still until it is told to move, and the date moves along")
    func dateMovesAlong() async {
        let clock = VirtualClock()
        #expect(clock.date == Date(timeIntervalSince1970: 1_767_254_400))
        #expect(clock.now.offset == .zero)
        await clock.advance(by: .seconds(90))
        #expect(clock.date == Date(timeIntervalSince1970: 1_767_254_490))
        #expect(clock.now.offset == .seconds(90))
        await clock.advance(by: .milliseconds(500))
        #expect(clock.date == Date(timeIntervalSince1970: 1_767_254_490.5))
    }

    @Test("Moves to a date, and never back")
    func movesToADate() async {
        let start = Date(timeIntervalSince1970: 1000)
        let clock = VirtualClock(date: start)
        await clock.advance(to: Date(timeIntervalSince1970: 1060))
        #expect(clock.date == Date(timeIntervalSince1970: 1060))
        await clock.advance(to: start)
        #expect(clock.date == Date(timeIntervalSince1970: 1060))
    }

    @Test("Wakes sleepers in the order of their deadlines, each at its own moment")
    func orderOfDeadlines() async throws {
        let clock = VirtualClock()
        let diary = Diary()
        let oneAfterTheOther = SerialTaskExecutor()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seconds in [30, 20, 10] {
                group.addTask(executorPreference: oneAfterTheOther) {
                    try? await clock.sleep(for: .seconds(seconds))
                    diary.note("\(seconds) at \(clock.now.offset.components.seconds)")
                }
                try await untilNextDeadline(of: clock, is: .seconds(seconds))
            }
            // On the same executor, whoever was woken has made its note before time has moved.
            group.addTask(executorPreference: oneAfterTheOther) {
                await clock.advance(by: .seconds(10))
                #expect(diary.all == ["10 at 10"])
                await clock.advance(by: .seconds(15))
                #expect(diary.all == ["10 at 10", "20 at 20"])
                #expect(clock.nextDeadline?.offset == .seconds(30))
                await clock.advance(by: .seconds(100))
            }
            try await group.waitForAll()
        }
        #expect(diary.all == ["10 at 10", "20 at 20", "30 at 30"])
        #expect(clock.now.offset == .seconds(125))
        #expect(clock.nextDeadline == nil)
    }

    @Test("Stops at each deadline of a chain of sleeps", arguments: [1, 50])
    func chainedSleeps(_ links: Int) async throws {
        let clock = VirtualClock()
        let diary = Diary()
        let oneAfterTheOther = SerialTaskExecutor()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: oneAfterTheOther) {
                for _ in 0..<links {
                    try? await clock.sleep(for: .seconds(1))
                    diary.note("\(clock.now.offset.components.seconds)")
                }
            }
            try await untilNextDeadline(of: clock, is: .seconds(1))
            group.addTask(executorPreference: oneAfterTheOther) { await clock.advance(by: .seconds(60)) }
            try await group.waitForAll()
        }
        #expect(diary.all == (1...links).map { "\($0)" })
        #expect(clock.now.offset == .seconds(60))
    }

    @Test("Wakes those with one deadline in the order in which they lay down")
    func orderOfEquals() async throws {
        let clock = VirtualClock()
        let diary = Diary()
        let oneAfterTheOther = SerialTaskExecutor()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...5 {
                group.addTask(executorPreference: oneAfterTheOther) {
                    try? await clock.sleep(for: .seconds(10))
                    diary.note("\(number)")
                }
            }
            // When this one has lain down, so have those before it.
            group.addTask(executorPreference: oneAfterTheOther) { try? await clock.sleep(for: .seconds(1)) }
            try await untilNextDeadline(of: clock, is: .seconds(1))
            await clock.advance(by: .seconds(10))
        }
        #expect(diary.all == ["1", "2", "3", "4", "5"])
    }

    @Test("A sleep until a moment that has passed does not wait")
    func pastDeadline() async throws {
        let clock = VirtualClock()
        await clock.advance(by: .seconds(5))
        try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)))
        try await clock.sleep(until: clock.now)
        #expect(clock.now.offset == .seconds(5))
    }

    @Test("Jumps to the next deadline, and says when nobody sleeps")
    func nextDeadline() async throws {
        let clock = VirtualClock()
        #expect(await !clock.advanceToNextDeadline())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await clock.sleep(for: .seconds(7)) }
            try await untilNextDeadline(of: clock, is: .seconds(7))
            #expect(await clock.advanceToNextDeadline())
        }
        #expect(clock.now.offset == .seconds(7))
        #expect(await !clock.advanceToNextDeadline())
    }

    @Test("A cancelled sleep ends at once with an error and leaves nobody behind")
    func cancellation() async throws {
        let clock = VirtualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
        try await untilNextDeadline(of: clock, is: .seconds(60))
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.nextDeadline == nil)
        #expect(clock.now.offset == .zero)
    }

    @Test("A task that was cancelled before it slept does not sleep")
    func cancelledBefore() async throws {
        let clock = VirtualClock()
        let sleeper = Task {
            // Ends as soon as the task is cancelled.
            try? await Task.sleep(for: usualLimit)
            try await clock.sleep(for: .seconds(60))
        }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.nextDeadline == nil)
    }

    @Test("Cancelling one sleeper leaves the others asleep")
    func cancelsOne() async throws {
        let clock = VirtualClock()
        let first = Task { try await clock.sleep(for: .seconds(10)) }
        try await untilNextDeadline(of: clock, is: .seconds(10))
        let second = Task { try await clock.sleep(for: .seconds(5)) }
        try await untilNextDeadline(of: clock, is: .seconds(5))
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(clock.nextDeadline?.offset == .seconds(10))
        await clock.advance(by: .seconds(10))
        try await first.value
    }

    @Test("A sleep until a date ends at that date, though dates are rounded to quarters of a microsecond")
    func untilDate() async throws {
        let clock = VirtualClock()
        let date = clock.date + 1
        for passed in [1, 100, 333, 500, 777, 900, 999] {
            await clock.advance(by: .milliseconds(passed) - clock.now.offset)
            let sleeper = Task { try? await clock.sleep(until: date) }
            try await untilNextDeadline(of: clock, is: .seconds(1))
            sleeper.cancel()
            await sleeper.value
        }
    }

    @Test("A race of cancelling and waking ends every sleep exactly once")
    func cancelWhileWaking() async throws {
        for _ in 0..<200 {
            let clock = VirtualClock()
            let sleeper = Task { try? await clock.sleep(for: .seconds(1)) }
            try await untilNextDeadline(of: clock, is: .seconds(1))
            async let woken: Void = clock.advance(by: .seconds(1))
            sleeper.cancel()
            await woken
            _ = await sleeper.value
            #expect(clock.nextDeadline == nil)
        }
    }
}

@Suite("System clock")
struct SystemClockTests {
    @Test("Shows the machine's date")
    func date() {
        let before = Date()
        let shown = SystemClock().date
        #expect(shown >= before && shown <= Date())
        #expect(SystemClock().now <= SystemClock().now)
    }
}
