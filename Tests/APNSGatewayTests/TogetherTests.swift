import APNSTransport
import Foundation
import PushClock
import PushModel
import Testing

@testable import APNSGateway

/// Pushes that have come together.
@Suite("Pushes together")
struct TogetherTests {
    @Test("Fetching for pushes says nothing of them: each is judged as by itself")
    func fetched() throws {
        let world = try World()
        let connection = GatewayConnection(environment: .development)
        let tokens = (0..<5).map { _ in world.gateway.issueToken(topic: bundleID, environment: .development) }
        // One in whose mailbox a push waits, and one that is dead.
        #expect(world.gateway.respond(to: world.request(to: tokens[0]), on: connection).status == 200)
        world.gateway.unregisterToken(tokens[1])
        var requests = tokens.map { world.request(to: $0, payload: String(repeating: "x", count: 200)) }
        requests.append(requests[0])
        requests[5].path = requests[5].path.uppercased().replacing("/3/DEVICE/", with: "/3/device/")
        for path in ["/3/device/00", "/3/device/", "/", "/3/device/" + String(repeating: "g", count: 64)] {
            requests.append(requests[2])
            requests[requests.count - 1].path = path
        }
        let unknown = "/3/device/" + String(repeating: "0", count: 64)
        requests.append(requests[2])
        requests[requests.count - 1].path = unknown
        let messages = requests.map { HTTP2Message($0) }
        for start in stride(from: 0, to: messages.count, by: 3) {
            let pack = messages[start..<min(start + 3, messages.count)]
            world.gateway.expect(pack.map { APNSArrival(stream: 1, request: $0) })
        }
        world.gateway.expect(messages.map { APNSArrival(stream: 1, request: $0) })
        let statuses = messages.map { world.gateway.respond(to: $0, on: connection).status }
        #expect(statuses == [200, 410, 200, 200, 200, 200, 400, 400, 404, 400, 400])
        #expect(world.gateway.statistics.waiting == 4)
    }

    @Test("A push that takes the place of another is stored for whichever head, and the other is coalesced")
    func replaced() async throws {
        let world = try World()
        let token = world.gateway.issueToken(topic: bundleID, environment: .development)
        // The permit of each connection has a head of its own.
        let connections = (0..<2).map { _ in GatewayConnection(environment: .development) }
        for number in 0..<6 {
            let request = world.request(to: token, payload: String(repeating: "y", count: 10 + number / 2))
            #expect(world.gateway.respond(to: request, on: connections[number / 3]).status == 200)
        }
        let statistics = world.gateway.statistics
        #expect(statistics.stored == 6)
        #expect(statistics.coalesced == 5)
        #expect(statistics.waiting == 1)
        let ids = Set(world.sink.all.map(\.apnsID))
        #expect(ids.count == 6)
        // What waits is over when its own time has come, though another was watched before it.
        await world.clock.advance(by: .seconds(Mailbox.longestStorage + 1))
        world.gateway.expire()
        #expect(world.gateway.statistics.waiting == 0)
        #expect(world.gateway.statistics.expired == 1)
    }
}
