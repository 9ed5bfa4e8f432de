import APNSGateway
import APNSTransport
import AppleDeveloper
import DeviceLink
import DeviceLinkNIO
import Foundation
import NIOCore
import NetworkSupport
import PushClock
import PushModel
import TestSupport
import Testing

@Suite("Courier links over sockets", .suiteLimit)
struct CourierTests {
    private let development = ProviderConnection(environment: .development)

    private func withServer(
        _ link: LinkConfiguration = LinkConfiguration(),
        _ body: (World, GatewayServer) async throws -> Void
    ) async throws {
        let world = try World()
        let configuration = GatewayServer.Configuration { ($0.productionPort, $0.link) = (nil, link) }
        let authority = try GatewayAuthority(folder: nil)
        let server = try await GatewayServer.start(world.gateway, authority: authority, configuration: configuration)
        do { try await body(world, server) } catch {
            await server.close()
            throw error
        }
        await server.close()
    }

    /// A device that is connected, and the token of its app.
    private func connect(_ name: String, to url: String) async throws -> (SocketDevice, DeviceToken) {
        let device = SocketDevice(name)
        device.register()
        device.connect(to: url)
        try await eventually("the device has a token") {
            // On a busy machine a link may be given up before it is open.
            if device.isLost { device.move(to: url) }
            return !device.tokens.isEmpty
        }
        return (device, try #require(device.tokens.first))
    }

    /// Sends a push that takes no other's place.
    ///
    /// - Returns: its apns-id.
    private func send(_ world: World, to token: DeviceToken, _ fields: [String: String?] = [:]) -> String {
        let id = UUID().uuidString.lowercased()
        let request = world.request(to: token, fields.merging(["apns-id": id, "apns-collapse-id": id]) { $1 })
        let answer = world.gateway.respond(to: request, on: development)
        #expect(answer.status == 200)
        return id
    }

    private func refusal(_ world: World, _ token: DeviceToken) throws -> (Int, String?, Int64?) {
        let answer = world.gateway.respond(to: world.request(to: token), on: development)
        let body = answer.body.isEmpty ? nil : try JSONValue(parsing: answer.body).object
        return (answer.status, body?["reason"]?.string, body?["timestamp"]?.integer)
    }

    @Test("A device that moves has its old link closed and gets again what it has not acknowledged, its app once")
    func moves() async throws {
        try await withServer { world, server in
            let (device, token) = try await connect("phone", to: server.courierURL)
            device.loseAcks(true)
            let ids = (0..<20).map { _ in send(world, to: token) }
            try await eventually("the device has 20 pushes") { device.delivered.count == 20 }
            device.loseAcks(false)
            #expect(device.closedLinks == 0)
            device.move(to: server.courierURL)
            try await eventually("all pushes are delivered") {
                ids.allSatisfy { world.sink.kinds(of: $0) == [.delivered] }
            }
            try await eventually("the device's link is closed") { device.closedLinks == 1 }
            #expect(device.received == 40)
            #expect(device.delivered == ids)
            // The new link is the one that counts.
            let next = send(world, to: token)
            try await eventually("the journey ends in delivered") { world.sink.kinds(of: next) == [.delivered] }
            #expect(device.delivered == ids + [next])
            #expect(device.isConnected)
        }
    }

    @Test("A link that is cut in the middle goes on where it was, and what came meanwhile follows")
    func resumes() async throws {
        try await withServer { world, server in
            let (device, token) = try await connect("phone", to: server.courierURL)
            device.cut(after: 6)
            let ids = (0..<10).map { _ in send(world, to: token) }
            try await eventually("the device's link is closed") { device.closedLinks == 1 && !device.isConnected }
            // The gateway knows by now, or will say so at the next hello; a push in between waits either way.
            let late = send(world, to: token)
            #expect(device.delivered == Array(ids.prefix(5)))
            device.move(to: server.courierURL)
            try await eventually("the journey ends in delivered") { world.sink.kinds(of: late).last == .delivered }
            try await eventually("all pushes are delivered") {
                ids.allSatisfy { world.sink.kinds(of: $0).last == .delivered }
            }
            #expect(device.delivered == ids + [late])
        }
    }

    @Test("openradar24203195_aReinstalledAppGetsANewToken: the old one stays 410 with the date of the removal")
    func reinstalls() async throws {
        try await withServer { world, server in
            let (device, first) = try await connect("phone", to: server.courierURL)
            await world.clock.advance(by: .seconds(5))
            let removed = Int64(world.clock.date.timeIntervalSince1970) * 1000
            device.unregister()
            try await eventually("the token is refused with 410") { (try? refusal(world, first).0) == 410 }
            #expect(try refusal(world, first) == (410, "Unregistered", removed))
            await world.clock.advance(by: .seconds(60))
            device.register()
            try await eventually("the device has 2 tokens") { device.tokens.count == 2 }
            let second = device.tokens[1]
            #expect(second != first)
            #expect(try refusal(world, first) == (410, "Unregistered", removed))
            let id = send(world, to: second)
            try await eventually("the journey ends in delivered") { world.sink.kinds(of: id) == [.delivered] }
            // A second removal is the second token's alone, and a second link brings none of the dead ones back.
            await world.clock.advance(by: .seconds(60))
            device.unregister()
            try await eventually("the token is refused with 410") { (try? refusal(world, second).0) == 410 }
            #expect(try refusal(world, second) == (410, "Unregistered", removed + 120_000))
            #expect(try refusal(world, first) == (410, "Unregistered", removed))
            device.register()
            try await eventually("the device has 3 tokens") { device.tokens.count == 3 }
            device.move(to: server.courierURL)
            let last = send(world, to: device.tokens[2])
            try await eventually("the journey ends in delivered") { world.sink.kinds(of: last).last == .delivered }
            #expect(Set(device.tokens).count == 3)
            // The questions whether a token is dead yet were pushes too.
            #expect(device.delivered.filter { $0 == id || $0 == last } == [id, last])
        }
    }

    @Test("A device that goes silent is noticed by its heartbeat, and what was sent to it waits")
    func goesSilent() async throws {
        let link = LinkConfiguration { ($0.pingInterval, $0.silence) = (.seconds(1), .seconds(8)) }
        try await withServer(link) { world, server in
            let cable = try await Cable.lay(to: server.courierPort)
            let url = "ws://127.0.0.1:\(cable.port)/courier"
            let (device, token) = try await connect("phone", to: url)
            let heard = send(world, to: token)
            try await eventually("the journey ends in delivered") { world.sink.kinds(of: heard) == [.delivered] }
            cable.pull()
            // It goes out on a link that looks open, and comes back to its mailbox when the gateway gives the link up.
            let lost = send(world, to: token)
            let once = send(world, to: token, ["apns-expiration": "0"])
            #expect(world.sink.kinds(of: lost) == [])
            try await eventually("the journey ends in expired") { world.sink.kinds(of: once) == [.expired] }
            let late = send(world, to: token)
            // The thread that found the link dead may still have it to tell.
            try await eventually("the journey ends in stored") { world.sink.kinds(of: late) == [.stored] }
            #expect(!device.isLost)
            #expect(device.delivered == [heard])
            device.move(to: server.courierURL)
            try await eventually("the journey ends in delivered") {
                world.sink.kinds(of: late) == [.stored, .delivered]
            }
            #expect(world.sink.kinds(of: lost) == [.delivered])
            #expect(device.delivered == [heard, lost, late])
            await cable.remove()
        }
    }

    @Test("500 devices over sockets: each push reaches its app once, with half of the links cut on the way")
    func many() async throws {
        OpenFileLimit.raise()
        try await withServer { world, server in
            let devices = (0..<500).map { SocketDevice("phone \($0)") }
            for device in devices {
                device.register()
                device.connect(to: server.courierURL)
            }
            try await eventually("all devices have a token") { devices.allSatisfy { !$0.tokens.isEmpty } }
            for device in devices[..<250] { device.cut(after: 2) }
            let pushes = devices.map { device in (0..<4).map { _ in send(world, to: device.tokens[0]) } }
            try await eventually("the links that moved are closed") {
                devices[..<250].allSatisfy { $0.closedLinks == 1 }
            }
            for device in devices[..<250] { device.move(to: server.courierURL) }
            try await eventually("every device has its pushes") {
                zip(devices, pushes).allSatisfy { $0.delivered.count == $1.count }
            }
            #expect(devices.map(\.delivered) == pushes)
            try await eventually("all deliveries are reported") {
                world.sink.all.count { $0.event.kind == .delivered } == 2000
            }
        }
    }
}
