import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Receivers of callbacks are paused and served one by one.
@Suite("Callbacks: fairness", .suiteLimit)
struct CallbackFairnessTests {
    private static let dead = "https://dead.example.com"
    private static let alive = "https://example.com"

    private func push(to host: String, for app: App? = nil, in service: TestService) async throws -> PushResult {
        try await service.push(
            """
            {"platform":"all","audience":"all","notification":{"alert":"hi"},"callback":{"url":"\(host)/hook?key=1","type":8}}
            """,
            for: app
        )
    }

    private func run(
        _ receiver: any CallbackSender,
        waitingCallbacks: Int = ServiceSettings().waitingCallbacks,
        _ body: (TestService) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await TestService.run(
                in: folder,
                clock: VirtualClock(),
                sender: ScriptedSender(),
                callbacks: receiver,
                settings: { $0.waitingCallbacks = waitingCallbacks },
                body
            )
        }
    }

    /// Waits until nothing is due before a number of seconds have passed.
    private func pause(of seconds: TimeInterval, in service: TestService) async throws {
        try await eventually("the receiver is paused for \(seconds) s") {
            try await service.store.nextCallbackDue(besides: []) == service.clock.date.addingTimeInterval(seconds)
        }
    }

    private func count(
        _ results: [PushResult],
        _ number: (CallbackState) -> Int,
        in service: TestService
    ) async throws -> Int {
        var sum = 0
        for result in results {
            sum += try await service.store.callbackState(of: result.messageID).map(number) ?? 0
        }
        return sum
    }

    @Test("Many pushes to a dead receiver cost one delivery for each pause, and others get theirs at once")
    func deadReceiver() async throws {
        let receiver = ScriptedReceiver(failingAt: Self.dead)
        receiver.answer(CallbackFailure("It answered 503."))
        func calls(_ host: String) -> Int { receiver.calls.elements.count { $0.url.hasPrefix(host) } }
        try await run(receiver) { service in
            try await service.addDevice()
            var pushes: [PushResult] = []
            for _ in 0..<20 { pushes.append(try await push(to: Self.dead, in: service)) }
            try await eventually("all events wait") { try await count(pushes, \.waiting, in: service) == 20 }
            try await pause(of: CallbackRunner.pause(after: 1), in: service)
            var before = calls(Self.dead)
            #expect(before <= CallbackRunner.share)
            let other = try await push(to: Self.alive, in: service)
            try await eventually("the other receiver hears of its push") {
                try await count([other], \.delivered, in: service) == 1
            }
            #expect(calls(Self.dead) == before)
            for failures in 1..<CallbackRunner.attempts - 1 {
                try await service.untilAsleep()
                await service.clock.advance(by: .seconds(CallbackRunner.pause(after: failures)))
                try await pause(of: CallbackRunner.pause(after: failures + 1), in: service)
                #expect(calls(Self.dead) == before + 1, "after \(failures) failures")
                before = calls(Self.dead)
            }
            #expect(try await count(pushes, \.lost, in: service) == 0)
            // Pushes that came during the first pause have one attempt less. What is over is given up after its failure is stored.
            for failures in CallbackRunner.attempts - 1...CallbackRunner.attempts {
                guard try await count(pushes, \.lost, in: service) < 20 else { break }
                await service.clock.advance(by: .seconds(CallbackRunner.pause(after: failures)))
                try await eventually("one more delivery has failed, or everything is given up") {
                    if calls(Self.dead) == before + 1 { return true }
                    return try await count(pushes, \.lost, in: service) == 20
                }
                before = calls(Self.dead)
                let due = service.clock.date.addingTimeInterval(CallbackRunner.pause(after: failures + 1))
                try await eventually("its failure is on disk") {
                    let next = try await service.store.nextCallbackDue(besides: [])
                    return next == nil || next == due
                }
            }
            try await eventually("the runner has given up all") { try await count(pushes, \.lost, in: service) == 20 }
            let state = try #require(try await service.store.callbackState(of: pushes[19].messageID))
            #expect(state.problem == "It answered 503." && state.waiting == 0)
        }
    }

    @Test("A receiver that is back hears of everything that waited, without further pauses")
    func recovery() async throws {
        let receiver = ScriptedReceiver(failingAt: Self.dead)
        receiver.answer(CallbackFailure("It answered 503."))
        try await run(receiver) { service in
            try await service.addDevice()
            var pushes: [PushResult] = []
            for _ in 0..<10 { pushes.append(try await push(to: Self.dead, in: service)) }
            try await eventually("all events wait") { try await count(pushes, \.waiting, in: service) == 10 }
            try await pause(of: CallbackRunner.pause(after: 1), in: service)
            receiver.answer(nil)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(CallbackRunner.pause(after: 1)))
            try await eventually("everything is delivered") { try await count(pushes, \.delivered, in: service) == 10 }
        }
    }

    @Test("A receiver that does not answer holds up no other")
    func slowReceiver() async throws {
        let receiver = SilentReceiver(at: Self.dead)
        try await run(receiver) { service in
            try await service.addDevice()
            for _ in 0..<10 { _ = try await push(to: Self.dead, in: service) }
            try await receiver.calls.wait(for: 1)
            for round in 1...3 {
                let other = try await push(to: Self.alive, in: service)
                try await eventually("push \(round) is told") {
                    try await count([other], \.delivered, in: service) == 1
                }
            }
            #expect(receiver.calls.elements.count { $0.hasPrefix(Self.dead) } <= CallbackRunner.share)
            receiver.release()
        }
    }

    @Test("An app with many receivers that do not answer holds up no other app")
    func manyReceivers() async throws {
        let receiver = SilentReceiver(at: "https://dead")
        try await run(receiver) { service in
            let other = try await service.addApp()
            try await service.addDevice()
            try await service.addDevice(app: other)
            for number in 0..<CallbackRunner.receivers * 2 {
                _ = try await push(to: "https://dead\(number).example.com", in: service)
            }
            try await receiver.calls.wait(for: CallbackRunner.receiversOfApp)
            for round in 1...3 {
                // The other app has a receiver of its own, also for a server that does not answer the first.
                let result = try await push(to: Self.alive, for: other, in: service)
                try await eventually("push \(round) is told") {
                    try await count([result], \.delivered, in: service) == 1
                }
            }
            #expect(receiver.calls.elements.count { $0.hasPrefix("https://dead") } == CallbackRunner.receiversOfApp)
            receiver.release()
        }
    }

    @Test("Events beyond an app's limit are lost with the reason, and those of another app are not")
    func limit() async throws {
        let receiver = ScriptedReceiver(failingAt: Self.dead)
        receiver.answer(CallbackFailure("It answered 503."))
        try await run(receiver, waitingCallbacks: 5) { service in
            let other = try await service.addApp()
            try await service.addDevice()
            try await service.addDevice(app: other)
            var pushes: [PushResult] = []
            for _ in 0..<9 { pushes.append(try await push(to: Self.dead, in: service)) }
            try await eventually("four events are lost") { try await count(pushes, \.lost, in: service) == 4 }
            #expect(try await count(pushes, \.waiting, in: service) == 5)
            let last = try await service.store.callbackState(of: pushes[8].messageID)
            #expect(last?.problem == CallbackCount.problem)
            #expect(try await service.store.waitingCallbacks() == [service.app.id: 5])
            var others: [PushResult] = []
            for _ in 0..<20 { others.append(try await push(to: Self.alive, for: other, in: service)) }
            try await eventually("the other app's events are delivered") {
                try await count(others, \.delivered, in: service) == 20
            }
            // A higher limit holds from the next event on.
            service.core.settings.value.waitingCallbacks = 6
            let later = try await push(to: Self.dead, in: service)
            try await eventually("it waits") { try await count([later], \.waiting, in: service) == 1 }
        }
    }

    @Test("A server that fails one app's pushes is not paused for another app")
    func receiversOfApps() async throws {
        let receiver = ScriptedReceiver(failingAt: "\(Self.alive)/bad")
        receiver.answer(CallbackFailure("It answered 404."))
        try await run(receiver) { service in
            let other = try await service.addApp()
            try await service.addDevice()
            try await service.addDevice(app: other)
            _ = try await push(to: "\(Self.alive)/bad", in: service)
            try await pause(of: CallbackRunner.pause(after: 1), in: service)
            let result = try await push(to: Self.alive, for: other, in: service)
            try await eventually("the other app's push is told") {
                try await count([result], \.delivered, in: service) == 1
            }
        }
    }

    @Test("Addresses of one server are one receiver, whatever their paths and letters")
    func receivers() {
        #expect(PushCallback.receiver(of: "https://Example.com/a?b") == "https://example.com")
        #expect(PushCallback.receiver(of: "https://example.com?b") == "https://example.com")
        #expect(PushCallback.receiver(of: "https://example.com:8443/a") == "https://example.com:8443")
    }
}

/// A receiver that takes requests and does not answer until it is released.
private final class SilentReceiver: CallbackSender {
    let calls = Recorder<String>()
    private let host: String
    private let signal = LocalWorkSignal()
    private let isReleased = Recorder<Void>()

    init(at host: String) { self.host = host }

    func release() {
        isReleased.add(())
        signal.raise()
    }

    func post(_ body: [UInt8], fields: [(name: String, value: String)], to url: String) async throws(CallbackFailure) {
        calls.add(url)
        while url.hasPrefix(host), isReleased.elements.isEmpty { await signal.wait() }
        // Wakes the next request that waits.
        signal.raise()
    }
}
