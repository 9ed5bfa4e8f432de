import Foundation
import Metrics
import MetricsTestKit
import PostgresClient
import PostgresTestSupport
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Nodes whose PostgreSQL server restarts", .suiteLimit)
struct LostStoreTests {
    @Test("Accepted pushes are sent, and pushes are accepted again")
    func restart() async throws {
        let server = try PostgresServer()
        try await TestNodes.run(on: .postgres, server: server) { nodes in
            let devices = try await nodes.first.addDevices(10)
            @Sendable func push(to device: RegisteredDevice, at service: TestService) async throws -> PushResult {
                try await service.push(
                    pushBody(audience: "{\"registration_id\":[\"\(service.registrationID(device))\"]}")
                )
            }
            var accepted: [(PushResult, RegisteredDevice)] = []
            for (number, device) in devices.enumerated() {
                accepted.append((try await push(to: device, at: nodes.services[number % 2]), device))
            }
            try server.control("-m immediate stop")
            for service in nodes.services {
                await #expect(throws: StoreError.self) { try await push(to: devices[0], at: service) }
            }
            try server.control("start")
            try await nodes.whileTimePasses {
                for service in nodes.services {
                    try await eventually("pushes are accepted again") {
                        do {
                            _ = try await push(to: devices[0], at: service)
                            return true
                        } catch is StoreError { return false }
                    }
                }
            }
            let all = accepted
            try await nodes.whileTimePasses {
                for (result, device) in all {
                    try await eventually("each push is recorded as sent") {
                        try await nodes.first.journey(result, device).verdict.state == .sent
                    }
                }
            }
        }
    }

    /// Makes the changes 25 hours old, and adds a window of a rate limit that is over.
    private func age(_ nodes: TestNodes) async throws {
        _ = try await nodes.shared.take(1, of: 10, for: "caller")
        let pool = try PostgresDatabase.pool(try #require(nodes.url))
        let windows = try await pool.run { connection in
            _ = try connection.execute("UPDATE registryLog SET at = at - 90000000")
            return try connection.execute("UPDATE rateWindow SET endsAt = endsAt - 60000").affected
        }
        await pool.close()
        #expect(windows == 1)
    }

    @Test("The leader deletes old changes and rate limits, and each node reports heartbeats, changes and rings")
    func upkeep() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await TestNodes.run(on: .postgres) { nodes in
                let device = try await nodes.first.addDevice { $0.tags = ["red"] }
                try await nodes.whileTimePasses {
                    try await eventually("the tag is known") {
                        nodes.second.core.registry.has(device.id, tag: "red")
                    }
                    try await eventually("a node leads") {
                        nodes.services.contains { $0.core.node?.membership.leads(.housekeeping) == true }
                    }
                }
                let before = FeedPositions()
                let reader = NodeID(rawValue: 9)
                let page = try await nodes.shared.changes(after: before, for: reader, limit: 100)
                #expect(!page.isTruncated && !page.entries.isEmpty)
                try await age(nodes)
                for service in nodes.services {
                    service.core.settings.value.retention.changes = 2
                    await service.core.housekeeper.tidy()
                }
                let kept = try await nodes.shared.changes(after: before, for: reader, limit: 100)
                #expect(!kept.isTruncated && kept.entries.count == page.entries.count)
                for service in nodes.services {
                    service.core.settings.value.retention.changes = 1
                    await service.core.housekeeper.tidy()
                }
                let later = try await nodes.shared.changes(after: before, for: reader, limit: 100)
                #expect(later.isTruncated && later.entries.isEmpty)
                let hasMore = try await nodes.shared.deleteWindows(limit: 1)
                #expect(!hasMore, "The leader has deleted them.")
            }
        }
        let renewed = try metrics.expectCounter("push.node.heartbeats", [("push.result", "renewed")])
        #expect(renewed.totalValue > 0)
        #expect(try metrics.expectCounter("push.node.feed.changes").totalValue > 0)
        #expect(try metrics.expectCounter("push.node.bell", [("push.direction", "sent")]).totalValue > 0)
        #expect(try metrics.expectGauge("push.node.alive").values.contains(2))
        #expect(try !metrics.expectTimer("push.node.feed.lag").values.isEmpty)
    }
}
