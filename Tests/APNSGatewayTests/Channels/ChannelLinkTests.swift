import APNSGateway
import APNSTransport
import DeviceLink
import Foundation
import PushClock
import PushModel
import Testing

@Suite("Broadcast channels on the link to devices")
struct ChannelLinkTests {
    private let connection = ProviderConnection(environment: .development)

    private func request(
        _ world: World,
        _ method: String,
        _ path: String,
        _ fields: [String: String],
        _ body: String
    )
        -> APNSRequest
    {
        let headers = fields.merging(["authorization": world.bearer]) { $1 }.map { (name: $0.key, value: $0.value) }
        return APNSRequest(method: method, path: path, headers: headers, body: Array(body.utf8))
    }

    /// Makes a channel.
    ///
    /// - Returns: its id.
    private func create(_ world: World, policy: Int) throws -> String {
        let body = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
        let answer = world.gateway.manage(
            request(world, "POST", "/1/apps/\(bundleID)/channels", [:], body),
            on: connection
        )
        return try #require(answer.header("apns-channel-id"))
    }

    /// Sends a message to a channel.
    ///
    /// - Returns: its id.
    private func publish(_ world: World, to channel: String, isKept: Bool = false) -> String {
        let id = UUID().uuidString.lowercased()
        let expiration = isKept ? Int(world.clock.date.timeIntervalSince1970) + 3600 : 0
        let fields = [
            "apns-channel-id": channel, "apns-push-type": "liveactivity", "apns-expiration": String(expiration),
            "apns-request-id": id,
        ]
        let sent = request(world, "POST", "/4/broadcasts/apps/\(bundleID)", fields, #"{"aps":{}}"#)
        #expect(world.gateway.respond(to: sent, on: connection).status == 200)
        return id
    }

    private func subscribe(_ device: FakeDevice, _ channel: String, _ topic: String = bundleID) {
        device.say(.subscribe(topic: topic, environment: .development, channel: channel))
    }

    private func end(_ channel: String, _ topic: String = bundleID) -> CourierFrame {
        .unsubscribe(topic: topic, environment: .development, channel: channel)
    }

    @Test("A message goes to all that listen, is acknowledged by each, and to nobody else")
    func publishes() throws {
        let world = try World()
        let channel = try create(world, policy: 0)
        let devices = (0..<3).map { FakeDevice("phone \($0)", at: world.gateway) }
        for device in devices[..<2] { subscribe(device, channel) }
        let id = publish(world, to: channel)
        #expect(devices.map(\.pushes) == [[id], [id], []])
        guard case .push(let push) = devices[0].frames.last else {
            Issue.record("\(devices[0].frames)")
            return
        }
        #expect(push.channel == channel && push.topic == bundleID && push.pushType == .liveactivity)
        #expect(push.payload == Array(#"{"aps":{}}"#.utf8))
        #expect(world.sink.kinds(of: id) == [])
        for device in devices {
            device.say(.ack(apnsID: id))
            device.say(.ack(apnsID: id))
        }
        #expect(world.sink.kinds(of: id) == [.delivered, .delivered])
        devices[0].say(end(channel))
        devices[1].disconnect()
        #expect(world.sink.kinds(of: publish(world, to: channel)) == [.expired])
        #expect(devices.map(\.pushes) == [[id], [id], []])
    }

    @Test("A channel that keeps its newest message hands it to whoever listens later, until it is over")
    func keeps() async throws {
        let world = try World()
        let channel = try create(world, policy: 1)
        let old = publish(world, to: channel, isKept: true)
        let newest = publish(world, to: channel, isKept: true)
        #expect(world.sink.kinds(of: old) == [.stored, .coalesced])
        let device = FakeDevice("phone", at: world.gateway)
        subscribe(device, channel)
        #expect(device.pushes == [newest])
        device.disconnect()
        // Not acknowledged: it comes again, for the device to drop if it has it.
        let again = FakeDevice("phone", at: world.gateway)
        subscribe(again, channel)
        #expect(again.pushes == [newest])
        again.say(.ack(apnsID: newest))
        #expect(world.sink.kinds(of: newest) == [.stored, .delivered])
        await world.clock.advance(by: .seconds(3600))
        let late = FakeDevice("tablet", at: world.gateway)
        subscribe(late, channel)
        #expect(late.pushes == [])
    }

    @Test("A device hears that a channel is not there, is another app's, or has been deleted")
    func ends() throws {
        let world = try World()
        let channel = try create(world, policy: 1)
        let device = FakeDevice("phone", at: world.gateway)
        subscribe(device, "AAAA")
        subscribe(device, channel, "com.example.other")
        #expect(device.frames == [end("AAAA"), end(channel, "com.example.other")])
        subscribe(device, channel)
        #expect(device.frames.count == 2)
        let path = "/1/apps/\(bundleID)/channels"
        let deleted = request(world, "DELETE", path, ["apns-channel-id": channel], "")
        #expect(world.gateway.manage(deleted, on: connection).status == 204)
        #expect(device.frames.last == end(channel))
        #expect(!device.isClosed)
    }

    @Test("A device that listens to more than a thousand channels loses its link")
    func bounded() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let channel = try create(world, policy: 0)
        for number in 0..<1000 { subscribe(device, "channel \(number)") }
        // None of them is there, so none of them counts.
        #expect(!device.isClosed)
        subscribe(device, channel)
        subscribe(device, channel)
        let id = publish(world, to: channel)
        #expect(device.pushes == [id])
        for _ in 0..<1000 { subscribe(device, try create(world, policy: 0)) }
        #expect(device.isClosed)
    }
}
