import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Under virtual time, which begins on 1 January 2026 at 08:00 UTC: 16:00 in China.
@Suite("Schedules of calls and Live Activities", .suiteLimit)
struct ScheduleKindTests {
    private static func schedule(_ push: String) -> String {
        """
        {"name":"s","enabled":true,"trigger":{"single":{"time":"2026-01-01 16:30:00"}},"push":\(push)}
        """
    }

    private func fire(_ push: String, sending count: Int, in service: TestService) async throws -> ScheduleFiring {
        let record = try await service.core.schedules.create(Array(Self.schedule(push).utf8), for: service.app)
        try await service.untilAsleep()
        await service.clock.advance(by: .seconds(1800))
        try await service.waitForSent(count)
        // A push may be sent before its firing is noted.
        return try await eventual("the firing is noted") {
            try await service.core.schedules.firings(record.id.uuidString, of: service.app.id).first
        }
    }

    private func keep(
        _ channel: ChannelToken.Channel,
        _ name: String,
        of device: RegisteredDevice,
        in service: TestService
    ) async throws {
        let token = ChannelToken(channel: channel, name: name, token: DeviceToken(bytes: [7]), environment: .production)
        try await service.store.setChannelToken(token, of: device.id, limit: 9, at: service.clock.date)
    }

    @Test("A VoIP push beside a notification is sent with it, in one firing")
    func voip() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await keep(.voip, "", of: device, in: service)
            let push = #"{"platform":"all","audience":"all","notification":{"alert":"hi","voip":{"a":1}}}"#
            let firing = try await fire(push, sending: 2, in: service)
            #expect(firing.error == nil)
            #expect(Set(service.sender.sent.elements.map(\.push.pushType)) == [.alert, .voip])
            let result = PushResult(messageID: try #require(firing.messageID), sendno: 0)
            #expect(try await service.journey(result, device).voip?.verdict.state == .sent)
        }
    }

    @Test("An event of a Live Activity has the time of its firing")
    func liveActivity() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await keep(.activity, "order-7", of: device, in: service)
            let push = """
                {"platform":"ios","audience":{"live_activity_id":"order-7"},
                "live_activity":{"ios":{"event":"update","content-state":{"eta":1}}}}
                """
            let firing = try await fire(push, sending: 1, in: service)
            #expect(firing.error == nil)
            let payload = try JSONValue(parsing: try #require(service.sender.sent.elements.first).push.payload)
            let now = Int64(service.clock.date.timeIntervalSince1970)
            #expect(payload.object?["aps"]?.object?["timestamp"] == .integer(now))
        }
    }

    @Test("A Live Activity that no device shows when the schedule fires is 1011, told in the firing")
    func nobody() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let push = """
                {"platform":"ios","audience":{"live_activity_id":"order-7"},
                "live_activity":{"ios":{"event":"end","content-state":{}}}}
                """
            let record = try await service.core.schedules.create(Array(Self.schedule(push).utf8), for: service.app)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(1800))
            try await eventually("the schedule has fired") {
                try await !service.core.schedules.firings(record.id.uuidString, of: service.app.id).isEmpty
            }
            let firing = try await service.core.schedules.firings(record.id.uuidString, of: service.app.id).first
            #expect(firing?.error?.code == 1011)
        }
    }

    @Test(
        "A schedule of a push with a mistake is refused when it is made",
        arguments: [
            #"{"platform":"all","audience":"all","notification":{"voip":"call"}}"#,
            #"{"platform":"ios","audience":"all","live_activity":{"ios":{"event":"update","content-state":{}}}}"#,
            #"{"platform":"all","audience":"all","notification":{"alert":"x"},"callback":{"url":"file:///etc/passwd"}}"#,
        ]
    )
    func mistakes(_ push: String) async throws {
        try await TestService.run { service in
            let error = await #expect(throws: JPushError.self) {
                try await service.core.schedules.create(Array(Self.schedule(push).utf8), for: service.app)
            }
            #expect(error?.status == 400)
        }
    }
}
