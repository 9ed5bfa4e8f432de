import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Pushes to Live Activities go to the tokens that apps have registered for them.
@Suite("Pushes to Live Activities", .suiteLimit)
struct LiveActivityTests {
    private static func body(
        _ event: String,
        audience: String,
        more: String = "",
        production: Bool = true,
        options: String = ""
    ) -> String {
        """
        {"platform":["ios"],"audience":\(audience),"live_activity":{"ios":{"event":"\(event)","content-state":{"eta":12}\(more)}},
        "options":{"apns_production":\(production)\(options)}}
        """
    }

    private static func update(_ id: String = "order-7") -> String {
        body("update", audience: "{\"live_activity_id\":\"\(id)\"}")
    }

    private static func start(_ audience: String) -> String {
        body("start", audience: audience, more: ",\"attributes-type\":\"OrderAttributes\"")
    }

    private static func token(_ byte: UInt8) -> DeviceToken { DeviceToken(bytes: [UInt8](repeating: byte, count: 80)) }

    private func keep(
        _ channel: ChannelToken.Channel,
        _ name: String,
        _ byte: UInt8,
        of device: RegisteredDevice,
        _ environment: APNSEnvironment = .production,
        in service: TestService
    ) async throws {
        let token = ChannelToken(channel: channel, name: name, token: Self.token(byte), environment: environment)
        try await service.store.setChannelToken(token, of: device.id, limit: 100, at: service.clock.date)
    }

    @Test(
        "An update goes to the devices that show the activity, with the headers and the payload that ActivityKit reads"
    )
    func update() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            try await keep(.activity, "order-7", 1, of: devices[0], in: service)
            try await keep(.activity, "order-8", 2, of: devices[1], in: service)
            // Another channel with the same name.
            try await keep(.activityStart, "order-7", 3, of: devices[2], in: service)
            let result = try await service.push(Self.update())
            try await service.waitForSent(1)
            let sent = try #require(service.sender.sent.elements.first).push
            #expect(service.sender.sent.elements.count == 1)
            #expect(sent.token == Self.token(1))
            #expect(sent.topic == "com.example.first.push-type.liveactivity")
            #expect(sent.pushType == .liveactivity && sent.priority == 10)
            let seconds = Int64(service.clock.date.timeIntervalSince1970)
            #expect(
                try JSONValue(parsing: sent.payload)
                    == ["aps": ["timestamp": .integer(seconds), "event": "update", "content-state": ["eta": 12]]]
            )
            #expect(try await service.journey(result, devices[0]).verdict.state == .sent)
            let usual = try await service.push(pushBody())
            try await service.waitForSent(4)
            let ids = [result.messageID, usual.messageID]
            let counts = try await service.core.reports.counts(of: ids, app: service.app.id)
            #expect(counts[ids[0]]?.isForLiveActivities == true && counts[ids[0]]?.target == 1)
            #expect(counts[ids[1]]?.isForLiveActivities == false && counts[ids[1]]?.target == 3)
        }
    }

    @Test(
        "A start goes to those devices of its audience that have a token for its attributes type; the others have none"
    )
    func start() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            for device in devices[..<2] {
                try await keep(.activityStart, "OrderAttributes", 1, of: device, in: service)
            }
            let names = devices[1...].map { "\"\(service.registrationID($0))\"" }.joined(separator: ",")
            let result = try await service.push(Self.start("{\"registration_id\":[\(names)]}"))
            try await service.waitForSent(1)
            #expect(try await service.journey(result, devices[1]).verdict.state == .sent)
            let without = try await service.journey(result, devices[2])
            #expect(without.events.map(\.kind) == [.accepted, .targeted, .suppressed(.noToken)])
            // The attributes type as the id, under which the SDK registers such a token.
            _ = try await service.push(Self.start("{\"live_activity_id\":\"OrderAttributes\"}"))
            try await service.waitForSent(3)
            _ = try await service.push(Self.start("\"all\""))
            try await service.waitForSent(5)
        }
    }

    @Test("An id that no device has registered is 1011; a token of the other environment is explained")
    func nobody() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice(environment: .development)
            #expect(try await service.refusal(Self.update()).code == 1011)
            try await keep(.activity, "order-7", 1, of: device, .development, in: service)
            let result = try await service.push(Self.update())
            let journey = try await service.journey(result, device)
            #expect(journey.events.map(\.kind) == [.accepted, .targeted, .suppressed(.environment)])
            let body = Self.body("end", audience: "{\"live_activity_id\":\"order-7\"}", production: false)
            _ = try await service.push(body)
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.map(\.environment) == [.development])
        }
    }

    @Test("A device without a token for notifications, and one whose token is refused, show activities all the same")
    func otherTokens() async throws {
        try await TestService.run { service in
            let bare = try await service.addDevice { $0.token = nil }
            let refused = try await service.addDevice { $0.tokenRefusal = .badDeviceToken }
            let stopped = try await service.addDevice { $0.isStopped = true }
            for device in [bare, refused, stopped] {
                try await keep(.activity, "order-7", 1, of: device, in: service)
                try await keep(.activityStart, "OrderAttributes", 2, of: device, in: service)
            }
            for body in [Self.update(), Self.start("\"all\"")] {
                let result = try await service.push(body)
                for device in [bare, refused] {
                    try await service.waitFor(1) { $0 == .sent }
                    #expect(try await service.journey(result, device).events.map(\.kind).contains(.targeted))
                }
                #expect(try await service.journey(result, stopped).verdict.state == .suppressed)
            }
            try await service.waitForSent(4)
            #expect(Set(service.sender.sent.elements.map(\.push.token)) == [Self.token(1), Self.token(2)])
        }
    }

    @Test("A token that APNs refuses is deleted; the token for notifications stays")
    func refused() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await keep(.activity, "order-7", 1, of: device, in: service)
            service.sender.answer { _ in SendOutcome(.refused(.unregistered, unregisteredAt: nil)) }
            _ = try await service.push(Self.update())
            try await service.waitFor(1) { $0 == .refused(.unregistered) }
            try await eventually("the token is deleted") {
                try await service.store.channelTokens(of: device.id).isEmpty
            }
            #expect(try await service.refusal(Self.update()).code == 1011)
            #expect(try await service.store.device(device.id)?.token == device.token)
        }
    }

    @Test("A token that ends between acceptance and dispatch leaves the push suppressed, and the state explained")
    func ended() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            for device in devices { try await keep(.activity, "order-7", 1, of: device, in: service) }
            service.sender.answer { _ in SendOutcome(.undecided("503", after: nil)) }
            let result = try await service.push(Self.update())
            try await service.waitFor(2) { if case .retried = $0 { true } else { false } }
            try await service.store.removeChannelToken(.activity, name: "order-7", of: devices[0].id)
            service.sender.answer { _ in SendOutcome(.sent) }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(120))
            try await service.waitForSent(1)
            try await service.waitFor(1) { $0 == .suppressed(.noToken) }
            #expect(try await service.journey(result, devices[0]).verdict.state == .suppressed)
            #expect(try await service.journey(result, devices[1]).verdict.state == .sent)
        }
    }
}
