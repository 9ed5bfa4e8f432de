import APNSGateway
import APNSTransport
import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@Suite("Gateway without sockets", .suiteLimit)
struct GatewayTests {
    private let development = ProviderConnection(environment: .development)

    @Test("A push goes to a device that is there, and its journey says so")
    func delivers() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let id = UUID().uuidString.lowercased()
        let request = world.request(to: token, ["apns-id": id], payload: #"{"aps":{"alert":"Hi"}}"#)
        #expect(world.gateway.respond(to: request, on: development).status == 200)
        #expect(device.pushes == [id])
        #expect(world.sink.kinds(of: id) == [])
        device.say(.ack(apnsID: id))
        #expect(world.sink.kinds(of: id) == [.delivered])
    }

    @Test("Waiting pushes are delivered at the next registration, and again until they are acknowledged")
    func resumes() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        device.disconnect()
        let id = UUID().uuidString.lowercased()
        _ = world.gateway.respond(to: world.request(to: token, ["apns-id": id]), on: development)
        let second = FakeDevice("phone", at: world.gateway)
        #expect(second.pushes.isEmpty)
        #expect(try second.register() == token)
        #expect(second.pushes == [id])
        second.disconnect()
        let third = FakeDevice("phone", at: world.gateway)
        _ = try third.register()
        #expect(third.pushes == [id])
        third.say(.ack(apnsID: id))
        #expect(world.sink.kinds(of: id) == [.stored, .delivered])
    }

    @Test("The same push twice is answered with 200 twice and delivered once")
    func duplicates() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let request = world.request(to: try device.register(), ["apns-id": UUID().uuidString.lowercased()])
        #expect(world.gateway.respond(to: request, on: development).status == 200)
        #expect(world.gateway.respond(to: request, on: development).status == 200)
        #expect(device.pushes.count == 1)
    }

    @Test("openradar24203195_aReinstalledAppGetsANewToken: the removed one's is answered with 410")
    func removal() async throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        await world.clock.advance(by: .seconds(5))
        device.say(.unregister(topic: bundleID, environment: .development))
        let answer = world.gateway.respond(to: world.request(to: token), on: development)
        #expect(answer.status == 410)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""timestamp":1767254405000"#))
        #expect(try device.register() != token)
    }

    @Test("A device has its token back after the gateway has started anew with the same secret")
    func restart() throws {
        let token = try FakeDevice("phone", at: try World().gateway).register()
        let again = try World()
        #expect(try FakeDevice("phone", at: again.gateway).register() == token)
        #expect(try FakeDevice("phone", at: again.gateway).register(bundleID, .production) != token)
        #expect(try FakeDevice("tablet", at: again.gateway).register() != token)
    }

    @Test("A second link of a device replaces the first")
    func replaces() throws {
        let world = try World()
        let first = FakeDevice("phone", at: world.gateway)
        let token = try first.register()
        let second = FakeDevice("phone", at: world.gateway)
        _ = try second.register()
        #expect(first.isClosed)
        _ = world.gateway.respond(to: world.request(to: token), on: development)
        #expect(first.pushes.isEmpty)
        #expect(second.pushes.count == 1)
    }

    @Test("fleet30816_fleet51651_storedPushesExpireWithoutAConnectedDevice: at their own moment on the clock")
    func expires() async throws {
        let world = try World()
        let token = world.issueToken()
        let keeper = Task { await world.gateway.runExpirations() }
        defer { keeper.cancel() }
        let seconds = Int(world.clock.date.timeIntervalSince1970) + 60
        let early = UUID().uuidString.lowercased()
        let late = UUID().uuidString.lowercased()
        let lateFields = ["apns-id": late, "apns-expiration": String(seconds + 60), "apns-collapse-id": "other"]
        _ = world.gateway.respond(to: world.request(to: token, lateFields), on: development)
        try await world.clock.sleeper()
        let earlyFields = ["apns-id": early, "apns-expiration": String(seconds)]
        _ = world.gateway.respond(to: world.request(to: token, earlyFields), on: development)
        let minute = world.clock.now.advanced(by: .seconds(60))
        try await world.clock.sleeper("the earlier push is the next to expire") { $0 <= minute }
        await world.clock.advance(by: .seconds(59))
        #expect(world.sink.kinds(of: early) == [.stored])
        await world.clock.advance(by: .seconds(1))
        try await eventually("the journey ends in expired") { world.sink.kinds(of: early) == [.stored, .expired] }
        #expect(world.sink.kinds(of: late) == [.stored])
        try await world.clock.sleeper()
        await world.clock.advance(by: .seconds(60))
        try await eventually("the journey ends in expired") { world.sink.kinds(of: late) == [.stored, .expired] }
    }

    @Test("A device's events come home under their own station, once")
    func events() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let opened = JourneyEvent(date: world.clock.date, station: .device, kind: .opened)
        let id = "ABCDEF00-0000-4000-8000-000000000000"
        let request = world.request(to: try device.register(), ["apns-id": id])
        _ = world.respond(to: request)
        let event = CourierEvent(number: 1, apnsID: id, event: opened)
        device.say(.events([event]))
        device.say(.events([event]))
        #expect(world.sink.all.filter { $0.event.station == .device }.map(\.event) == [opened])
        #expect(Set(world.sink.all.map(\.apnsID)) == [id.lowercased()])
        #expect(device.frames.suffix(2) == [.eventsAck(through: 1), .eventsAck(through: 1)])
    }
}
