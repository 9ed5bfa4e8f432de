import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// The service's zone is Asia/Shanghai.
@Suite("Quiet hours on the road", .suiteLimit)
struct QuietHoursDispatchTests {
    private static let night = "\"x_quiet_hours\":{\"from\":\"22:00\",\"to\":\"07:00\"}"

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    /// At 23:00 in Shanghai, midnight in Tokyo, 16:00 in Berlin.
    private func withService(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.run(clock: VirtualClock(date: try date("2026-01-01T15:00:00Z")), body)
    }

    private func devices(_ zones: [String?], _ service: TestService) async throws -> [RegisteredDevice] {
        var devices: [RegisteredDevice] = []
        for zone in zones { devices.append(try await service.addDevice { $0.zone = zone }) }
        return devices
    }

    private func waitForQuiet(_ count: Int, _ service: TestService) async throws {
        try await service.waitFor(count) { if case .quietHours = $0 { true } else { false } }
    }

    private func advance(_ service: TestService, to text: String) async throws {
        try await service.untilAsleep()
        await service.clock.advance(to: try date(text))
    }

    private func sent(_ devices: [RegisteredDevice], _ service: TestService) -> [Int] {
        devices.map { device in service.sender.sent.elements.count { $0.push.token == device.token } }
    }

    @Test(
        "RocketChat.ReactNative #2048: who has quiet hours is held to the end of its own and sent to then, others at once"
    )
    func rocketChat2048_eachInItsOwnNight() async throws {
        try await withService { service in
            let devices = try await devices(["Europe/Berlin", "Asia/Shanghai", nil, "Asia/Tokyo"], service)
            let result = try await service.push(pushBody(options: Self.night))
            try await service.waitForSent(1)
            try await waitForQuiet(3, service)
            #expect(sent(devices, service) == [1, 0, 0, 0])
            let end = try date("2026-01-01T23:00:00Z")
            let waiting = try await service.journey(result, devices[1])
            #expect(waiting.events.map(\.kind) == [.accepted, .targeted, .quietHours(until: end, isHeld: true)])
            #expect(waiting.events.last?.date == service.clock.date)
            #expect(waiting.verdict.state == .waiting)
            try await advance(service, to: "2026-01-01T22:00:00Z")
            try await service.waitForSent(2)
            #expect(sent(devices, service) == [1, 0, 0, 1])
            try await advance(service, to: "2026-01-01T23:00:00Z")
            try await service.waitForSent(4)
            #expect(sent(devices, service) == [1, 1, 1, 1])
            let over = try await service.journey(result, devices[1])
            #expect(over.events.map(\.kind) == [.accepted, .targeted, .quietHours(until: end, isHeld: true), .sent])
            #expect(over.verdict.state == .sent)
        }
    }

    @Test("A push whose time ends before the quiet hours is not sent, counts no badge, and its journey says so")
    func suppressed() async throws {
        try await withService { service in
            let device = try await devices(["Asia/Shanghai"], service)[0]
            let options = Self.night + ",\"time_to_live\":3600"
            let result = try await service.push(pushBody(ios: "\"alert\":\"x\",\"badge\":\"+1\"", options: options))
            try await waitForQuiet(1, service)
            let end = try date("2026-01-01T23:00:00Z")
            let journey = try await service.journey(result, device)
            #expect(journey.events.map(\.kind) == [.accepted, .targeted, .quietHours(until: end, isHeld: false)])
            #expect(journey.verdict.state == .suppressed)
            #expect(service.sender.sent.elements.isEmpty)
            #expect(try await service.store.device(device.id)?.badge == 0)
        }
    }

    @Test("daintree #5394: the app's quiet hours hold for all its pushes but those that say otherwise, or may pass")
    func daintree5394_ofTheApp() async throws {
        try await withService { service in
            let device = try await devices(["Asia/Shanghai"], service)[0]
            let body = "{\"quiet_hours\":{\"from\":\"22:00\",\"to\":\"07:00\",\"allow_time_sensitive\":true}}"
            _ = try await service.core.appSettings.change(Array(body.utf8), of: service.app)
            let held = try await service.push(pushBody())
            try await waitForQuiet(1, service)
            #expect(try await service.journey(held, device).verdict.state == .waiting)
            _ = try await service.push(pushBody(options: "\"x_quiet_hours\":false"))
            _ = try await service.push(pushBody(ios: "\"alert\":\"x\",\"interruption-level\":\"time-sensitive\""))
            try await service.waitForSent(2)
            #expect(sent([device], service) == [2])
        }
    }

    /// Sets the topic `offers` and waits until the sender or the topic has decided about a push to all.
    private func offer(
        _ service: TestService,
        sent: Int,
        held: Int,
        _ options: String = "\"x_topic\":\"offers\""
    ) async throws -> PushResult {
        let result = try await service.push(pushBody(ios: "\"alert\":\"x\",\"badge\":\"+1\"", options: options))
        try await service.waitForSent(sent)
        try await service.waitFor(held) { $0 == .suppressed(.topicCapped) || $0 == .suppressed(.topicDeclined) }
        return result
    }

    private func setTopics(_ topics: String, _ service: TestService) async throws {
        _ = try await service.core.appSettings.changeTopics(Array("{\"topics\":[\(topics)]}".utf8), of: service.app)
    }

    @Test("A cap counts by the days of each device's zone; what is beyond has its reason, its count and no badge")
    func cappedByDay() async throws {
        try await withService { service in
            let devices = try await devices(["Europe/Berlin", "Asia/Shanghai", nil, "Asia/Tokyo"], service)
            try await setTopics("{\"name\":\"offers\",\"cap\":1}", service)
            _ = try await offer(service, sent: 4, held: 0)
            let beyond = try await offer(service, sent: 4, held: 4)
            #expect(try await service.journey(beyond, devices[0]).verdict.state == .suppressed)
            #expect(try await service.store.device(devices[0].id)?.badge == 1)
            // An hour later it is midnight in Shanghai, and has been in Tokyo all the time.
            await service.clock.advance(to: try date("2026-01-01T16:00:00Z"))
            _ = try await offer(service, sent: 6, held: 6)
            #expect(sent(devices, service) == [1, 2, 2, 1])
            await service.clock.advance(to: try date("2026-01-01T23:00:00Z"))
            // In Berlin it is midnight now, in Tokyo 16 hours later.
            _ = try await offer(service, sent: 7, held: 9)
            #expect(sent(devices, service) == [2, 2, 2, 1])
            // Other topics and pushes without one are not counted.
            _ = try await offer(service, sent: 11, held: 9, "\"x_topic\":\"news\"")
            _ = try await offer(service, sent: 15, held: 9, "\"sendno\":1")
        }
    }

    @Test(
        "A declined topic is not sent to the device, whatever the cap; one-time passwords are exempt where the app says so"
    )
    func declined() async throws {
        try await withService { service in
            let devices = try await devices(["Asia/Shanghai", "Asia/Shanghai"], service)
            let exempt = "{\"name\":\"offers\",\"cap\":1,\"per\":\"week\",\"exempt_immediate\":true}"
            try await setTopics(exempt, service)
            _ = try await service.core.registrations.carryOut(.topics(declined: ["offers"]), for: devices[0].id)
            let result = try await offer(service, sent: 1, held: 1)
            let journey = try await service.journey(result, devices[0])
            #expect(journey.events.map(\.kind) == [.accepted, .targeted, .suppressed(.topicDeclined)])
            _ = try await offer(service, sent: 2, held: 2)
            #expect(sent(devices, service) == [0, 2])
            let known = try await service.core.registrations.carryOut(.topics(declined: []), for: devices[0].id)
            _ = try await offer(service, sent: 4, held: 2)
            #expect(known.topics == ["offers": false])
        }
    }

    @Test(
        "Periods begin with the calendar of the zone, also where clocks change",
        arguments: [
            (PushTopic.Period.day, "2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z"),
            (.day, "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"),
            (.day, "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z"),
            (.week, "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"),
            (.hour, "2026-01-01T10:59:59Z", "2026-01-01T11:00:00Z"),
        ]
    )
    func periods(_ period: PushTopic.Period, _ last: String, _ first: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let numbers = try [last, first].map { text in
            let date = try date(text)
            return period.number(at: Int64(date.timeIntervalSince1970) + Int64(zone.secondsFromGMT(for: date)))
        }
        #expect(numbers[1] == numbers[0] + 1)
    }

    @Test("A held push outlives a restart")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock(date: try date("2026-01-01T15:00:00Z"))
            let sender = ScriptedSender()
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                _ = try await devices(["Asia/Shanghai"], service)
                _ = try await service.push(pushBody(options: Self.night))
                try await waitForQuiet(1, service)
            }
            await clock.advance(to: try date("2026-01-02T00:00:00Z"))
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.waitForSent(1)
            }
            #expect(sender.sent.elements.count == 1)
        }
    }
}
