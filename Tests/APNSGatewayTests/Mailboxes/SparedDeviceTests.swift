import APNSGateway
import APNSTransport
import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@Suite("Gateway and devices that sleep", .suiteLimit)
struct SparedDeviceTests {
    private let development = ProviderConnection(environment: .development)

    /// Sends a push.
    ///
    /// - Returns: its apns-id.
    private func send(
        _ world: World,
        to token: DeviceToken,
        priority: Int,
        type: APNSPushType = .alert,
        topic: String = bundleID
    ) -> String {
        let id = UUID().uuidString.lowercased()
        let fields: [String: String?] = [
            "apns-id": id, "apns-priority": String(priority), "apns-push-type": type.rawValue, "apns-topic": topic,
        ]
        let answer = world.gateway.respond(to: world.request(to: token, fields), on: development)
        #expect(answer.status == 200)
        return id
    }

    /// Moves the clock on to the next moment that the gateway waits for.
    private func advance(_ world: World, by duration: Duration) async throws {
        let target = world.clock.now.advanced(by: duration)
        try await world.clock.sleeper("the gateway waits for a moment that is due") { $0 <= target }
        await world.clock.advance(by: duration)
    }

    @Test("Pushes of priority 5 reach a sleeping device together, after a quarter of an hour on the clock")
    func groups() async throws {
        let world = try World()
        let keeper = Task { await world.gateway.runExpirations() }
        defer { keeper.cancel() }
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        device.sleep()
        let first = send(world, to: token, priority: 5)
        try await world.clock.sleeper()
        await world.clock.advance(by: .seconds(60))
        let second = send(world, to: token, priority: 5)
        let third = send(world, to: token, priority: 1)
        #expect(device.pushes == [])
        #expect(world.sink.kinds(of: first) == [.stored])
        try await advance(world, by: .seconds(840))
        try await eventually("the device has its pushes") { device.pushes == [first, second] }
        device.wake()
        // The keeper may still be at it, and whoever comes first does the other's work too.
        try await eventually("the device has its pushes") { device.pushes == [first, second, third] }
        for id in device.pushes { device.say(.ack(apnsID: id)) }
        try await eventually("the journey ends in delivered") { world.sink.kinds(of: third) == [.stored, .delivered] }
    }

    @Test("A push of priority 10 to one app takes those of priority 5 to the others along")
    func wakesOthers() throws {
        let world = try World()
        world.gateway.setBundleIDs([bundleID, "com.example.other"], ofTeam: team)
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let other = try device.register("com.example.other")
        device.sleep()
        let waiting = send(world, to: token, priority: 5)
        let last = send(world, to: token, priority: 1)
        let alert = send(world, to: other, priority: 10, topic: "com.example.other")
        #expect(Set(device.pushes) == [waiting, alert])
        device.wake()
        #expect(device.pushes.last == last)
    }

    @Test("A device that never says that it sleeps gets all at once, and one that does has to say so on each link")
    func awake() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let ids = [5, 1].map { send(world, to: token, priority: $0) }
        #expect(device.pushes == ids)
        for id in ids { device.say(.ack(apnsID: id)) }
        device.sleep()
        let held = send(world, to: token, priority: 1)
        device.disconnect()
        let again = FakeDevice("phone", at: world.gateway)
        again.sleep()
        _ = try again.register()
        #expect(again.pushes == [])
        again.wake()
        #expect(again.pushes == [held])
    }

    @Test("Background pushes beyond the budget wait on the clock, and their journey says so")
    func budget() async throws {
        var rules = GatewayRules()
        rules.silentBudget = SilentBudget(pushes: 2, interval: 3600)
        let world = try World(rules: rules)
        let keeper = Task { await world.gateway.runExpirations() }
        defer { keeper.cancel() }
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let ids = (0..<4).map { _ in send(world, to: token, priority: 5, type: .background) }
        for id in ids.prefix(2) { device.say(.ack(apnsID: id)) }
        #expect(device.pushes == Array(ids.prefix(2)))
        #expect(world.sink.kinds(of: ids[2]) == [.stored, .suppressed(.budget), .coalesced])
        #expect(world.sink.kinds(of: ids[3]) == [.stored, .suppressed(.budget)])
        let waiting = Verdict(world.sink.all.filter { $0.apnsID == ids[3] }.map(\.event))
        #expect(waiting.state == .stored)
        try await advance(world, by: .seconds(3600))
        try await eventually("the device has its pushes") { device.pushes.count == 3 }
        #expect(device.pushes.last == ids[3])
        device.say(.ack(apnsID: ids[3]))
        try await eventually("the journey ends in delivered") {
            world.sink.kinds(of: ids[3]) == [.stored, .suppressed(.budget), .delivered]
        }
        #expect(Verdict(world.sink.all.filter { $0.apnsID == ids[3] }.map(\.event)).state == .delivered)
        // The budget is of a token, and of background pushes alone.
        let tablet = try FakeDevice("tablet", at: world.gateway).register()
        let other = send(world, to: tablet, priority: 5, type: .background)
        #expect(world.sink.kinds(of: other) == [])
        #expect(device.pushes.last != send(world, to: token, priority: 10))
        #expect(device.pushes.count == 4)
    }
}
