import InMemoryTracing
import PushClock
import PushModel
import PushService
import TestSupport
import Testing
import Tracing

@Suite("Spans of the dispatch", .suiteLimit)
struct StepSpanTests {
    @Test(
        "A push without a request starts a trace; each attempt is a span, and one that waits is an error with its reason"
    )
    func attempts() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestService.run { service in
                try await service.addDevices(2)
                service.sender.answer { _ in SendOutcome(.unreachable("the line is cut")) }
                _ = try await service.push(pushBody())
                try await service.waitFor(2) { $0 == .retried("the line is cut") }
                service.sender.answer { _ in SendOutcome(.sent) }
                try await service.untilAsleep()
                await service.clock.advance(by: .seconds(1))
                try await service.waitFor(2) { $0 == .sent }
                try await eventually("both attempts have ended") {
                    tracer.finishedSpans.count { $0.operationName == "dispatch" } == 2
                }
            }
        }
        let attempts = tracer.finishedSpans.filter { $0.operationName == "dispatch" }
        #expect(attempts.map { $0.attributes.get("push.waiting") } == [.int64(2), .int64(0)])
        #expect(attempts.map { $0.attributes.get("push.sent") } == [.int64(0), .int64(2)])
        #expect(attempts.map { $0.status?.code } == [.error, nil])
        #expect(attempts.first?.status?.message?.contains("the line is cut") == true)
        #expect(attempts.allSatisfy { $0.parentSpanID == nil && $0.attributes.get("push.request.id") == nil })
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("Devices without a token are not handed to APNs, and there is no span at APNs if none has one")
    func withoutAPNs() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestService.run { service in
                let device = try await service.addDevice()
                service.sender.answer { _ in SendOutcome(.unreachable("later")) }
                _ = try await service.push(pushBody())
                try await service.waitFor(1) { $0 == .retried("later") }
                // Before the retry, the device loses its token.
                let without = try await service.store.updateDevice(device.id) { $0.token = nil }
                service.core.registry.apply([try #require(without)])
                try await service.untilAsleep()
                await service.clock.advance(by: .seconds(1))
                try await service.waitFor(1) { $0 == .suppressed(.noToken) }
                try await eventually("both attempts have ended") {
                    tracer.finishedSpans.count { $0.operationName == "dispatch" } == 2
                }
            }
        }
        #expect(tracer.finishedSpans.count { $0.operationName == "apns" } == 1)
        let last = tracer.finishedSpans.last { $0.operationName == "dispatch" }
        #expect(last?.attributes.get("push.ended") == .int64(1))
        #expect(last?.status == nil)
    }
}
