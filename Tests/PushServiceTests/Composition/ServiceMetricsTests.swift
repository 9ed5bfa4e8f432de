import DeviceLink
import Foundation
import Metrics
import MetricsTestKit
import PushClock
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@Suite("Metrics of the service", .suiteLimit)
struct ServiceMetricsTests {
    private let metrics = TestMetrics()

    private func notifications(_ outcome: String) throws -> Int64 {
        try metrics.expectCounter("push.service.notifications", [("push.outcome", outcome)]).totalValue
    }

    private func lanes(_ state: String) throws -> TestRecorder {
        try metrics.expectGauge("push.service.lanes", [("push.state", state)])
    }

    @Test("Pushes, what became of them, steps, checkpoints and lanes")
    func pushes() async throws {
        try await withMetricsFactory(metrics) {
            try await TestService.run { service in
                try await service.addDevices(3)
                let cid = service.app.key.makeCID()
                for _ in 0..<2 { _ = try await service.push(pushBody(cid: cid)) }
                try await service.waitForSent(3)
                service.sender.answer { _ in SendOutcome(.refused(.badTopic, unregisteredAt: nil)) }
                _ = try await service.push(pushBody())
                try await service.waitFor(3) { $0 == .refused(.badTopic) }
                service.sender.answer { _ in SendOutcome(.unreachable("x")) }
                _ = try await service.push(pushBody(options: "\"time_to_live\":2"))
                try await service.waitFor(3) { $0 == .retried("x") }
                try await service.untilAsleep()
                await service.clock.advance(by: .seconds(1))
                try await service.waitFor(6) { $0 == .retried("x") }
                try await service.untilAsleep()
                await service.clock.advance(by: .seconds(2))
                try await service.waitFor(3) { $0 == .expired }
                try await eventually("no lane is at work") { try lanes("working").lastValue == 0 }
            }
        }
        #expect(try metrics.expectCounter("push.service.pushes").totalValue == 3)
        #expect(try notifications("accepted") == 3)
        #expect(try notifications("refused") == 3)
        #expect(try notifications("retried") == 6)
        #expect(try notifications("expired") == 3)
        #expect(try notifications("suppressed") == 0)
        #expect(try metrics.expectRecorder("push.service.step.devices").values == [3, 3, 3, 3])
        #expect(try metrics.expectTimer("push.service.step.duration").values.count == 4)
        #expect(try metrics.expectTimer("push.service.checkpoint.duration").values.count >= 4)
        #expect(try lanes("working").values.contains(1))
        #expect(try metrics.expectRecorder("push.service.audience").values == [3, 3, 3])
    }

    @Test("The lag is the age of what waits to be taken up, as after a downtime, and 0 again afterwards")
    func lag() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let sender = ScriptedSender()
            sender.answer { _ in SendOutcome(.unreachable("x")) }
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.addDevice()
                _ = try await service.push(pushBody())
                try await service.waitFor(1) { $0 == .retried("x") }
                try await service.untilAsleep()
            }
            // The retry is due after a second.
            await clock.advance(by: .seconds(61))
            sender.answer { _ in SendOutcome(.sent) }
            try await withMetricsFactory(metrics) {
                try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                    try await service.waitForSent(1)
                    let lag = try metrics.expectGauge("push.service.lanes.lag")
                    // The push may be sent before the look that found it is measured.
                    try await eventually("the lag is measured") { !lag.values.isEmpty }
                    #expect(lag.values.first == 60)
                    try await eventually("nothing waits") { lag.lastValue == 0 }
                }
            }
        }
    }

    @Test("The days left of each certificate, as long as the app has it")
    func certificates() async throws {
        try await withMetricsFactory(metrics) {
            try await TestService.run { service in
                let certificate = SealedCredential.certificate(
                    of: service.app.id,
                    for: service.app.bundleID,
                    endsAt: service.clock.date.addingTimeInterval(2.5 * 86_400)
                )
                try await service.store.add(certificate)
                await service.core.housekeeper.tidy()
                let dimensions = [("push.app", service.app.key.text), ("push.environment", "production")]
                let days = try metrics.expectGauge("push.service.certificate.days", dimensions)
                #expect(days.lastValue == 2.5)
                let removal: JSONObject = ["app": .string(service.app.key.text), "kind": "certificate"]
                _ = try await service.core.operators.perform(
                    "credential.remove",
                    JSONValue.object(removal).bytes
                )
                #expect(throws: (any Error).self, "The gauge is gone with the certificate.") {
                    try metrics.expectGauge("push.service.certificate.days", dimensions)
                }
            }
        }
    }

    @Test("A paused lane, and the pushes that it holds back")
    func paused() async throws {
        try await withMetricsFactory(metrics) {
            try await TestService.run { service in
                try await service.addDevices(2)
                service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
                _ = try await service.push(pushBody())
                try await service.waitFor(2) { $0 == .paused(.noCredential) }
                try await eventually("the lane is paused") { try lanes("paused").lastValue == 1 }
            }
        }
        #expect(try notifications("paused") == 2)
        #expect(try notifications("accepted") == 0)
    }

    @Test("Links, and custom messages that devices have acknowledged")
    func links() async throws {
        try await withMetricsFactory(metrics) {
            try await TestService.run { service in
                let (one, _) = try await service.enrol("1")
                let (two, _) = try await service.enrol("2")
                let links = try metrics.expectGauge("push.service.links")
                #expect(links.lastValue == 2)
                for content in ["a", "b"] { _ = try await service.push(messageBody(content)) }
                for link in [one, two] {
                    _ = try await link.hearMessage()
                    link.say(.acknowledge(position: try await link.hearMessage().position))
                }
                try await service.core.journeyLog.flush()
                #expect(try metrics.expectCounter("push.service.messages").totalValue == 4)
                two.hangUp()
                #expect(links.lastValue == 1)
            }
        }
    }

    @Test("Journey reports and acknowledgements that wait for the disk")
    func waiting() async throws {
        try await withMetricsFactory(metrics) {
            try await TestService.run { service in
                let device = try await service.addDevice()
                let push = try await service.push(pushBody())
                try await service.waitForSent(1)
                let apnsID = try #require(try await service.journey(push, device).apnsID)
                let log = service.core.journeyLog
                let delivered = JourneyEvent(date: service.clock.date, station: .device, kind: .delivered)
                for _ in 0..<3 { log.record(delivered, of: .push(apnsID: apnsID)) }
                let (link, _) = try await service.enrol("1")
                _ = try await service.push(messageBody("a"))
                link.say(.acknowledge(position: try await link.hearMessage().position))
                let reports = try metrics.expectGauge("push.service.reports.waiting")
                let acknowledgements = try metrics.expectGauge("push.service.acknowledgements.waiting")
                #expect(reports.values.contains { $0 >= 1 })
                try await eventually("one waits") { acknowledgements.values.contains(1) }
                try await log.flush()
                #expect(reports.lastValue == 0)
                #expect(acknowledgements.lastValue == 0)
            }
        }
    }

    @Test("Schedules that fire, and those whose push cannot be sent")
    func schedules() async throws {
        func schedule(audience: String) -> [UInt8] {
            let trigger = "{\"single\":{\"time\":\"2026-01-01 16:30:00\"}}"
            let push = pushBody(audience: audience)
            return Array("{\"name\":\"s\",\"enabled\":true,\"trigger\":\(trigger),\"push\":\(push)}".utf8)
        }
        func firings(_ result: String) throws -> Int64 {
            try metrics.expectCounter("push.service.schedules", [("push.result", result)]).totalValue
        }
        try await withMetricsFactory(metrics) {
            try await TestService.run { service in
                try await service.addDevice()
                for audience in ["\"all\"", "\"all\"", "{\"tag\":[\"nobody\"]}"] {
                    _ = try await service.core.schedules.create(schedule(audience: audience), for: service.app)
                }
                try await service.untilAsleep()
                await service.clock.advance(by: .seconds(1800))
                try await eventually("all have fired") { try firings("fired") == 2 && firings("failed") == 1 }
            }
        }
        #expect(try metrics.expectCounter("push.service.pushes").totalValue == 2)
    }
}
