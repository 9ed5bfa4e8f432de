import PushClock
import TestSupport
import Testing

/// How the tests of all targets wait.
@Suite("Waits of tests", .suiteLimit)
struct WaitingTests {
    private func unmet(_ wait: @Sendable () async throws -> Void) async -> UnmetCondition? {
        await #expect(throws: UnmetCondition.self) { try await wait() }
    }

    @Test("A wait in vain ends at its limit, and says where it was and what it waited for")
    func limit() async throws {
        let polled = await unmet { try await eventually("pigs fly", within: .milliseconds(5)) { false } }
        let text = try #require(polled?.description)
        #expect(text.hasPrefix("PushClockTests/WaitingTests.swift:"))
        #expect(text.hasSuffix(": waited 5.0 ms until pigs fly, which did not happen."))
        let clock = VirtualClock()
        let slept = await unmet {
            try await clock.sleeper("somebody sleeps", within: .milliseconds(5)) { _ in true }
        }
        #expect(slept?.awaited == "somebody sleeps" && slept?.reason == .limit(.milliseconds(5)))
    }

    @Test("A wait ends when its task is cancelled, and says what it waited for")
    func cancellation() async {
        let clock = VirtualClock()
        let waits: [@Sendable () async throws -> Void] = [
            { try await eventually("pigs fly") { false } },
            { _ = try await eventual("a pig flies") { nil as Int? } },
            { try await clock.sleeper() },
        ]
        for wait in waits {
            let task = Task { try await wait() }
            task.cancel()
            let error = await #expect(throws: UnmetCondition.self) { try await task.value }
            #expect(error?.reason == .cancelled)
            #expect(error?.description.contains("was cancelled while it waited until ") == true)
        }
    }

    @Test("A condition that holds at once is not waited for, and an error of the condition ends the wait")
    func atOnce() async throws {
        try await eventually("it is so", within: .zero) { true }
        #expect(try await eventual("there is a number", within: .zero) { 7 } == 7)
        await #expect(throws: CancellationError.self) {
            try await eventually("it is so") { throw CancellationError() }
        }
    }

    @Test("Later sleepers on a virtual clock are waited for, and pauses are skipped up to a limit")
    func sleepers() async throws {
        let clock = VirtualClock()
        let start = clock.now
        async let sleeper: Void = clock.sleep(for: .seconds(5))
        try await clock.sleeper(for: .seconds(5))
        let skipping = Task { await clock.skipPauses(upTo: .seconds(10)) }
        try await sleeper
        try await clock.sleep(for: .seconds(10))
        #expect(start.duration(to: clock.now) == .seconds(15))
        skipping.cancel()
        await skipping.value
        let long = Task { try await clock.sleep(for: .seconds(11)) }
        try await clock.sleeper(for: .seconds(11))
        await clock.skipPauses(upTo: .seconds(11), until: clock.now.advanced(by: .seconds(1)))
        try await long.value
        #expect(start.duration(to: clock.now) == .seconds(26))
    }
}
