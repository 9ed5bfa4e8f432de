import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

/// Under virtual time, which begins on 1 January 2026 at 08:00 UTC: 16:00 in Shanghai, 09:00 in Berlin, 03:00 in New York.
@Suite("Schedules at each device's local time", .suiteLimit)
struct LocalScheduleTests {
    private static func schedule(_ trigger: String, push: String = pushBody()) -> String {
        "{\"name\":\"local\",\"enabled\":true,\"trigger\":{\(trigger),\"zone\":\"device\"},\"push\":\(push)}"
    }

    private static func single(_ time: String, push: String = pushBody()) -> String {
        schedule("\"single\":{\"time\":\"\(time)\"}", push: push)
    }

    private static func daily(_ time: String, from start: String, to end: String) -> String {
        schedule(
            """
            "periodical":{"start":"\(start)","end":"\(end)","time":"\(time)","time_unit":"day","frequency":1}
            """
        )
    }

    private func create(_ body: String, _ service: TestService) async throws -> String {
        try await service.core.schedules.create(Array(body.utf8), for: service.app).id.uuidString
    }

    private func devices(_ zones: [String?], _ service: TestService) async throws -> [RegisteredDevice] {
        var devices: [RegisteredDevice] = []
        for zone in zones { devices.append(try await service.addDevice { $0.zone = zone }) }
        return devices
    }

    /// Lets the service go through everything that is due until `date`, one wake-up after the other.
    private func advance(_ service: TestService, to text: String) async throws {
        let date = try date(text)
        while true {
            let due = try await service.store.nextScheduleDue() ?? .distantFuture
            guard due <= date else { break }
            try await service.untilAsleep()
            await service.clock.advance(to: max(due, service.clock.date))
            try await eventually("the schedule has moved on from \(due)") {
                try await service.store.nextScheduleDue() != due
            }
        }
        try await service.untilAsleepOrDone(try await service.store.nextScheduleDue() == nil)
        await service.clock.advance(to: date)
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    /// When the schedule sent, and to whom by their ordinals.
    private func firings(_ id: String, _ service: TestService) async throws -> [[String]] {
        try await service.core.schedules.firings(id, of: service.app.id).map { firing in
            [firing.dueAt.formatted(.iso8601), firing.error.map { "\($0.code)" } ?? "sent"]
        }
    }

    private func sent(to device: RegisteredDevice, _ service: TestService) -> Int {
        service.sender.sent.elements.count { $0.push.token == device.token }
    }

    @Test("A single time comes for each device when its own clock shows it, the service's where it has told no zone")
    func single() async throws {
        try await TestService.run { service in
            let zones = ["Europe/Berlin", "Asia/Shanghai", nil, "America/New_York"]
            let devices = try await devices(zones, service)
            let id = try await create(Self.single("2026-01-02 09:00:00"), service)
            try await advance(service, to: "2026-01-02T00:59:59Z")
            #expect(try await firings(id, service) == [])
            try await advance(service, to: "2026-01-02T01:00:00Z")
            try await service.waitForSent(2)
            #expect(devices.map { sent(to: $0, service) } == [0, 1, 1, 0])
            try await advance(service, to: "2026-01-02T08:00:00Z")
            try await service.waitForSent(3)
            #expect(devices.map { sent(to: $0, service) } == [1, 1, 1, 0])
            // It is still to come elsewhere, and so can be changed or deleted.
            #expect(try await service.core.schedules.page(1, of: service.app.id).totalCount == 1)
            try await advance(service, to: "2026-01-03T00:00:00Z")
            try await service.waitForSent(4)
            #expect(devices.map { sent(to: $0, service) } == [1, 1, 1, 1])
            #expect(
                try await firings(id, service) == [
                    ["2026-01-02T01:00:00Z", "sent"], ["2026-01-02T08:00:00Z", "sent"],
                    ["2026-01-02T14:00:00Z", "sent"],
                ]
            )
            #expect(try await service.core.schedules.page(1, of: service.app.id).totalCount == 0)
        }
    }

    /// Berlin's clocks jump from 02:00 to 03:00 on 29 March 2026; Shanghai's never change.
    @Test("ntfy #1924 for each device: a daily time that is not there fires at the jump, and the day after at its time")
    func ntfy1924_acrossTheChange() async throws {
        try await TestService.run(clock: VirtualClock(date: try date("2026-03-27T12:00:00Z"))) { service in
            let devices = try await devices(["Europe/Berlin", "Asia/Shanghai"], service)
            let body = Self.daily("02:30:00", from: "2026-03-28 00:00:00", to: "2026-03-30 03:00:00")
            let id = try await create(body, service)
            try await advance(service, to: "2026-04-01T00:00:00Z")
            try await service.waitForSent(6)
            #expect(devices.map { sent(to: $0, service) } == [3, 3])
            #expect(
                try await firings(id, service).map { $0[0] } == [
                    "2026-03-27T18:30:00Z", "2026-03-28T01:30:00Z", "2026-03-28T18:30:00Z", "2026-03-29T01:00:00Z",
                    "2026-03-29T18:30:00Z", "2026-03-30T00:30:00Z",
                ]
            )
        }
    }

    @Test("A time that some clocks have passed comes for the others; one that all have passed is refused")
    func passed() async throws {
        try await TestService.run { service in
            let devices = try await devices(["Asia/Shanghai", "America/New_York"], service)
            _ = try await create(Self.single("2026-01-01 09:00:00"), service)
            try await advance(service, to: "2026-01-03T00:00:00Z")
            try await service.waitForSent(1)
            #expect(devices.map { sent(to: $0, service) } == [0, 1])
            let error = await #expect(throws: JPushError.self) {
                try await create(Self.single("2026-01-02 09:00:00"), service)
            }
            #expect(error?.code == 8100)
            #expect(error?.message.contains("in any time zone of the app's devices") == true)
        }
    }

    @Test("Sent zone by zone it is one push to everybody, as the limit of a day counts them")
    func countsOnce() async throws {
        try await TestService.run(settings: { ($0.broadcastsPerDay, $0.schedules.zone) = (1, .gmt) }) { service in
            let devices = try await devices(["Asia/Tokyo", "Asia/Shanghai", "Europe/Berlin"], service)
            let id = try await create(Self.single("2026-01-01 18:00:00"), service)
            try await advance(service, to: "2026-01-01T18:00:00Z")
            try await service.waitForSent(3)
            #expect(devices.allSatisfy { sent(to: $0, service) == 1 })
            #expect(try await firings(id, service).allSatisfy { $0[1] == "sent" })
            #expect(try await service.refusal(pushBody()).code == 2008)
        }
    }

    @Test("A zone that comes into use after the schedule was made counts")
    func newZone() async throws {
        try await TestService.run { service in
            _ = try await devices(["America/New_York"], service)
            _ = try await create(Self.single("2026-01-03 09:00:00"), service)
            let late = try await service.addDevice { $0.zone = "Asia/Tokyo" }
            try await advance(service, to: "2026-01-03T00:00:00Z")
            try await service.waitForSent(1)
            #expect(sent(to: late, service) == 1)
        }
    }

    @Test("Nobody in a zone is no error; nobody in any is one, told once")
    func nobody() async throws {
        try await TestService.run { service in
            let devices = try await devices(["Asia/Shanghai", "America/New_York"], service)
            let changed = try await service.store.updateDevices(
                [devices[1].id.ordinal],
                of: service.app.id,
                keepingTags: []
            ) { $0.tags = ["vip"] }
            service.core.registry.apply(changed)
            let some = try await create(
                Self.single("2026-01-02 09:00:00", push: pushBody(audience: "{\"tag\":[\"vip\"]}")),
                service
            )
            let none = try await create(
                Self.single("2026-01-02 09:00:00", push: pushBody(audience: "{\"tag\":[\"nobody\"]}")),
                service
            )
            try await advance(service, to: "2026-01-04T00:00:00Z")
            try await service.waitForSent(1)
            #expect(try await firings(some, service) == [["2026-01-02T14:00:00Z", "sent"]])
            #expect(try await firings(none, service).map { $0[1] } == ["1011"])
        }
    }

    @Test("A schedule that is deleted between two zones does not come in the second")
    func deleted() async throws {
        try await TestService.run { service in
            let devices = try await devices(["Asia/Shanghai", "America/New_York"], service)
            let id = try await create(Self.single("2026-01-02 09:00:00"), service)
            try await advance(service, to: "2026-01-02T05:00:00Z")
            try await service.waitForSent(1)
            try await service.core.schedules.delete(id, of: service.app.id)
            await service.clock.advance(to: try date("2026-01-04T00:00:00Z"))
            #expect(devices.map { sent(to: $0, service) } == [1, 0])
        }
    }

    @Test("Custom messages come at the device's local time too")
    func customMessages() async throws {
        try await TestService.run { service in
            _ = try await devices(["Asia/Shanghai", "America/New_York"], service)
            let push = "{\"platform\":\"all\",\"audience\":\"all\",\"message\":{\"msg_content\":\"m\"}}"
            let id = try await create(Self.single("2026-01-02 09:00:00", push: push), service)
            try await advance(service, to: "2026-01-03T00:00:00Z")
            let ids = try await service.core.schedules.firings(id, of: service.app.id).compactMap(\.messageID)
            #expect(ids.count == 2)
            let counts = try await service.core.reports.counts(of: ids, app: service.app.id)
            #expect(ids.map { counts[$0]?.custom.target } == [1, 1])
        }
    }
}
