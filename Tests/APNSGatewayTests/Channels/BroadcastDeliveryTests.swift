import APNSTransport
import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import APNSGateway

/// Channels of a world, and messages to them.
struct ChannelDesk {
    let world: World
    private let connection = ProviderConnection(environment: .development)

    init(_ world: World) { self.world = world }

    private func request(_ method: String, _ path: String, _ fields: [String: String], _ body: String) -> APNSRequest {
        let headers = fields.merging(["authorization": world.bearer]) { $1 }.map { (name: $0.key, value: $0.value) }
        return APNSRequest(method: method, path: path, headers: headers, body: Array(body.utf8))
    }

    /// Makes a channel.
    ///
    /// - Returns: its id.
    func create(policy: Int) throws -> String {
        let body = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
        let made = world.gateway.manage(request("POST", "/1/apps/\(bundleID)/channels", [:], body), on: connection)
        return try #require(made.header("apns-channel-id"))
    }

    func delete(_ channel: String) {
        let gone = request("DELETE", "/1/apps/\(bundleID)/channels", ["apns-channel-id": channel], "")
        #expect(world.gateway.manage(gone, on: connection).status == 204)
    }

    /// Sends a message to a channel, stored for so many seconds.
    ///
    /// - Returns: its request id, and its unique id.
    @discardableResult
    func publish(to channel: String, stored seconds: Int? = nil) -> (id: String, uniqueID: String) {
        let id = UUID().uuidString.lowercased()
        let expiration = seconds.map { Int(world.clock.date.timeIntervalSince1970) + $0 } ?? 0
        let fields = [
            "apns-channel-id": channel, "apns-push-type": "liveactivity", "apns-expiration": String(expiration),
            "apns-request-id": id,
        ]
        let sent = request("POST", "/4/broadcasts/apps/\(bundleID)", fields, #"{"aps":{}}"#)
        let answer = world.gateway.respond(to: sent, on: connection)
        #expect(answer.status == 200)
        return (id, answer.header("apns-unique-id") ?? "")
    }
}

extension FakeDevice {
    func subscribe(to channel: String) {
        say(.subscribe(topic: bundleID, environment: .development, channel: channel))
    }

    func unsubscribe(from channel: String) {
        say(.unsubscribe(topic: bundleID, environment: .development, channel: channel))
    }
}

@Suite("Broadcast channels: once per device")
struct BroadcastDeliveryTests {
    @Test("A subscription outlives its link, until it is ended: the device does not ask again")
    func resumes() throws {
        let world = try World()
        let desk = ChannelDesk(world)
        let channel = try desk.create(policy: 1)
        let phone = FakeDevice("phone", at: world.gateway)
        phone.subscribe(to: channel)
        phone.disconnect()
        let stored = desk.publish(to: channel, stored: 3600).id
        let again = FakeDevice("phone", at: world.gateway)
        #expect(again.pushes == [stored])
        again.say(.ack(apnsID: stored))
        let linked = desk.publish(to: channel, stored: 3600).id
        #expect(again.pushes == [stored, linked])
        again.unsubscribe(from: channel)
        desk.publish(to: channel, stored: 3600)
        again.disconnect()
        #expect(FakeDevice("phone", at: world.gateway).pushes == [])
    }

    @Test("A stored message arrives once: what the device has acknowledged does not come with its next link")
    func once() throws {
        let world = try World()
        let desk = ChannelDesk(world)
        let channel = try desk.create(policy: 1)
        let message = desk.publish(to: channel, stored: 3600).id
        let phone = FakeDevice("phone", at: world.gateway)
        phone.subscribe(to: channel)
        #expect(phone.pushes == [message])
        phone.say(.ack(apnsID: message))
        phone.say(.ack(apnsID: message))
        phone.disconnect()
        let again = FakeDevice("phone", at: world.gateway)
        again.subscribe(to: channel)
        #expect(again.pushes == [])
        let tablet = FakeDevice("tablet", at: world.gateway)
        tablet.subscribe(to: channel)
        #expect(tablet.pushes == [message])
        #expect(world.sink.kinds(of: message) == [.stored, .delivered])
    }

    @Test("A stored message says until when a device may act on it; one that is not stored does not")
    func expiration() throws {
        let world = try World()
        let desk = ChannelDesk(world)
        let channel = try desk.create(policy: 1)
        let phone = FakeDevice("phone", at: world.gateway)
        phone.subscribe(to: channel)
        desk.publish(to: channel, stored: 3600)
        desk.publish(to: channel)
        let expirations = phone.frames.map { frame -> APNSExpiration? in
            if case .push(let push) = frame { push.expiration } else { nil }
        }
        #expect(expirations == [.at(world.clock.date.addingTimeInterval(3600)), nil])
    }

    @Test("Subscriptions, the stored message and who has it are there after a restart", arguments: [false, true])
    func restarts(_ hasCheckpoint: Bool) async throws {
        try await withTemporaryPath { folder in
            // A small log is rewritten after nearly each frame.
            let limit = hasCheckpoint ? 64 : GatewayRules().smallestLog
            let first = try World(mail: folder, smallestLimit: limit)
            let desk = ChannelDesk(first)
            let channel = try desk.create(policy: 1)
            let deleted = try desk.create(policy: 1)
            let devices = ["phone", "tablet", "watch"].map { FakeDevice($0, at: first.gateway) }
            for device in devices { for channel in [channel, deleted] { device.subscribe(to: channel) } }
            devices[1].disconnect()
            let message = desk.publish(to: channel, stored: 3600).id
            devices[0].say(.ack(apnsID: message))
            devices[2].unsubscribe(from: channel)
            desk.delete(deleted)
            await first.gateway.flush()
            for round in 0..<(hasCheckpoint ? 20 : 0) {
                // More subscriptions and rewritten segments, which must not change the others.
                let other = try desk.create(policy: 0)
                devices[round % 2 * 2].subscribe(to: other)
                if round % 3 == 0 { devices[round % 2 * 2].unsubscribe(from: other) }
                await first.gateway.flush()
            }
            let second = try World(mail: folder, clock: first.clock)
            let kept = second.gateway.state.withLock { state in
                (state.subscriptions.indexCount, state.records.count)
            }
            #expect(kept.0 >= 2)
            let again = ["phone", "tablet", "watch"].map { FakeDevice($0, at: second.gateway) }
            #expect(again.map(\.pushes) == [[], [message], []])
            let next = ChannelDesk(second).publish(to: channel, stored: 3600).id
            #expect(again.map(\.pushes) == [[next], [message, next], []])
            #expect(second.gateway.broadcastStanding(of: message, for: "phone")?.state == .delivered)
        }
    }

    @Test("A deleted channel ends its subscriptions, and a new one at their places is another")
    func deletes() throws {
        let world = try World()
        let desk = ChannelDesk(world)
        let first = try desk.create(policy: 0)
        let second = try desk.create(policy: 0)
        let phone = FakeDevice("phone", at: world.gateway)
        for channel in [first, second] { phone.subscribe(to: channel) }
        desk.delete(first)
        let third = try desk.create(policy: 0)
        phone.subscribe(to: third)
        let ids = [desk.publish(to: second).id, desk.publish(to: third).id]
        #expect(phone.pushes == ids)
        phone.disconnect()
        let again = FakeDevice("phone", at: world.gateway)
        let later = [desk.publish(to: second).id, desk.publish(to: third).id]
        #expect(again.pushes == later)
    }
}
