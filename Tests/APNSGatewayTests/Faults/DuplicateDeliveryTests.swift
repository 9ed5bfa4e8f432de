import APNSTransport
import DeviceLink
import Foundation
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

@Suite("openradar41282196_duplicateDeliveryCanBeInjected", .suiteLimit)
struct DuplicateDeliveryTests {
    private let connection = ProviderConnection(environment: .development)

    /// A device, its token, and what sends a push to it and says its apns-id.
    private func setting() throws -> (world: World, device: FakeDevice, token: DeviceToken) {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        return (world, device, try device.register())
    }

    private func push(_ world: World, _ token: DeviceToken) -> String {
        let id = UUID().uuidString.lowercased()
        let answer = world.gateway.respond(to: world.request(to: token, ["apns-id": id]), on: connection)
        #expect(answer.status == 200)
        return id
    }

    @Test("The device gets the same push twice under one apns-id, and its journey is that of one")
    func twice() throws {
        let (world, device, token) = try setting()
        world.gateway.add(Fault(.duplicateDelivery(copies: 2), next: 1))
        let ids = [push(world, token), push(world, token)]
        #expect(device.pushes == [ids[0], ids[0], ids[1]])
        for id in device.pushes { device.say(.ack(apnsID: id)) }
        for id in ids { #expect(world.sink.kinds(of: id) == [.delivered]) }
        #expect(world.gateway.faultLog().map(\.apnsID) == [ids[0]])
    }

    @Test("Pushes to one token alone are duplicated, as often as asked for")
    func ofOneToken() throws {
        let (world, device, token) = try setting()
        let other = FakeDevice("tablet", at: world.gateway)
        let otherToken = try other.register()
        world.gateway.add(Fault(.duplicateDelivery(copies: 3), where: FaultConditions(token: token)))
        let ids = [push(world, token), push(world, otherToken)]
        #expect(device.pushes == [ids[0], ids[0], ids[0]])
        #expect(other.pushes == [ids[1]])
    }

    @Test("A dropped delivery comes when the device links again")
    func dropped() throws {
        let (world, device, token) = try setting()
        world.gateway.add(Fault(.dropDelivery(isForGood: false), next: 1))
        let id = push(world, token)
        #expect(device.pushes.isEmpty)
        #expect(world.gateway.standing(of: id)?.state == "onTheWay")
        device.disconnect()
        #expect(world.gateway.standing(of: id)?.state == "waiting")
        let again = FakeDevice("phone", at: world.gateway)
        #expect(try again.register() == token)
        #expect(again.pushes == [id])
        again.say(.ack(apnsID: id))
        #expect(world.sink.kinds(of: id) == [.delivered])
    }

    @Test("A lost delivery never comes, nobody says that it did, and the next push does come")
    func lost() throws {
        let (world, device, token) = try setting()
        world.gateway.add(Fault(.dropDelivery(isForGood: true), next: 1))
        let lost = push(world, token)
        let next = push(world, token)
        #expect(device.pushes == [next])
        device.disconnect()
        let again = FakeDevice("phone", at: world.gateway)
        _ = try again.register()
        #expect(again.pushes == [next])
        #expect(world.sink.kinds(of: lost) == [])
        #expect(world.gateway.faultLog().map(\.kind) == ["dropDelivery"])
    }
}
