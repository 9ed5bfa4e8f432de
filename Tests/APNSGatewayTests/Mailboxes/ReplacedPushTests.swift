import APNSTransport
import Foundation
import PushClock
import PushModel
import Testing

@testable import APNSGateway

@Suite("Replaced pushes")
struct ReplacedPushTests {
    @Test("A push that takes the place of another is stored for whichever head, and the other is coalesced")
    func replaced() async throws {
        let world = try World()
        let token = world.issueToken()
        // The permit of each connection has a head of its own.
        let connections = (0..<2).map { _ in ProviderConnection(environment: .development) }
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
