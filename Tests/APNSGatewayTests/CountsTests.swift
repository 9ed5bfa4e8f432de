import APNSTransport
import DeviceLink
import Foundation
import Metrics
import MetricsTestKit
import PushClock
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Counts of the gateway, and what became of a push", .suiteLimit)
struct CountsTests {
    private let development = ProviderConnection(environment: .development)

    private func push(
        _ world: World,
        _ token: DeviceToken,
        _ fields: [String: String?] = [:]
    ) -> (id: String, status: Int) {
        let id = UUID().uuidString
        let request = world.request(to: token, fields.merging(["apns-id": id]) { $1 })
        return (id, world.gateway.respond(to: request, on: development).status)
    }

    @Test("Answers by environment, status and reason; what became of pushes; what waits")
    func counts() async throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let away = world.issueToken()
        let delivered = push(world, token)
        device.say(.ack(apnsID: delivered.id.lowercased()))
        let soon = String(Int(world.clock.date.timeIntervalSince1970) + 60)
        for fields in [[:], [:], ["apns-collapse-id": "a"], ["apns-expiration": "0"], ["apns-expiration": soon]] {
            _ = push(world, away, fields)
        }
        _ = push(world, away, ["apns-collapse-id": "b", "apns-expiration": soon])
        #expect(push(world, DeviceToken(bytes: [1])).status == 400)
        #expect(push(world, away, ["apns-priority": "3"]).status == 400)
        let other = ProviderConnection(environment: .production)
        #expect(world.gateway.respond(to: world.request(to: away), on: other).status == 400)
        await world.clock.advance(by: .seconds(61))
        world.gateway.expire()
        let counts = world.gateway.statistics
        #expect(
            counts.answers == [
                .init(environment: .development, status: 200): 7,
                .init(environment: .development, status: 400, reason: .badDeviceToken): 1,
                .init(environment: .development, status: 400, reason: .badPriority): 1,
                .init(environment: .production, status: 400, reason: .badDeviceToken): 1,
            ]
        )
        // One without and two with a collapse id wait in their turn; two of three without one gave way.
        #expect(counts.stored == 5)
        #expect(counts.coalesced == 2)
        #expect(counts.expired == 3)
        #expect(counts.delivered == 1)
        #expect(counts.waiting == 1)
        #expect(counts.devices == 1)
        device.disconnect()
        #expect(world.gateway.statistics.devices == 0)
        world.gateway.unregisterToken(away)
        #expect(world.gateway.statistics.waiting == 0)
    }

    @Test("A push by its apns-id in either case: waiting, on its way, delivered, expired, coalesced, refused, unknown")
    func standing() async throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let sent = push(world, token).id
        let onTheWay = try #require(world.gateway.standing(of: sent.uppercased()))
        #expect(onTheWay.state == "onTheWay")
        #expect(onTheWay.apnsID == sent.lowercased())
        #expect(onTheWay.environment == .development)
        device.say(.ack(apnsID: sent.lowercased()))
        device.disconnect()
        let delivered = try #require(world.gateway.standing(of: sent))
        #expect(delivered.state == "delivered")
        #expect(delivered.events.map(\.kind) == [.delivered])

        let date = world.clock.date.addingTimeInterval(60)
        let older = push(world, token).id
        let waiting = push(world, token, ["apns-expiration": String(Int(date.timeIntervalSince1970))]).id
        #expect(world.gateway.standing(of: older)?.state == "coalesced")
        #expect(world.gateway.standing(of: older)?.events.map(\.kind) == [.stored, .coalesced])
        #expect(world.gateway.standing(of: waiting)?.place == .waiting(until: date))
        #expect(world.gateway.standing(of: waiting)?.topic == bundleID)
        await world.clock.advance(by: .seconds(60))
        world.gateway.expire()
        #expect(world.gateway.standing(of: waiting)?.state == "expired")

        let refused = push(world, token, ["apns-priority": "3"]).id
        #expect(world.gateway.standing(of: refused)?.state == "refused")
        #expect(world.gateway.standing(of: refused)?.answers.map(\.reason) == [.badPriority])
        #expect(world.gateway.standing(of: UUID().uuidString) == nil)
        #expect(world.gateway.standing(of: "1234") == nil)
    }

    @Test("The same by swift-metrics")
    func metrics() throws {
        let metrics = TestMetrics()
        let world = try withMetricsFactory(metrics) { try World() }
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        device.say(.ack(apnsID: push(world, token).id.lowercased()))
        device.disconnect()
        for _ in 0..<3 { _ = push(world, token) }
        _ = push(world, token, ["apns-priority": "3"])
        let environment = ("apns.environment", "development")
        let accepted = try metrics.expectCounter(
            "apns.server.answers",
            [environment, ("http.response.status_code", "200")]
        )
        #expect(accepted.totalValue == 4)
        let refused = try metrics.expectCounter(
            "apns.server.answers",
            [environment, ("http.response.status_code", "400"), ("apns.reason", "BadPriority")]
        )
        #expect(refused.totalValue == 1)
        for (event, count) in [("stored", 3), ("coalesced", 2), ("delivered", 1)] {
            #expect(try metrics.expectCounter("apns.server.pushes", [("apns.event", event)]).totalValue == Int64(count))
        }
        #expect(try metrics.expectGauge("apns.server.waiting").lastValue == 1)
        #expect(try metrics.expectGauge("device.connections").values == [1, 0])
    }
}
