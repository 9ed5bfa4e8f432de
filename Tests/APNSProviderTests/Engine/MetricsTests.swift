import APNSProvider
import Metrics
import MetricsTestKit
import PushModel
import TestSupport
import Testing

/// Serialized: swift-metrics has one factory for the process.
@Suite("Metrics of the client", .serialized, .suiteLimit)
struct MetricsTests {
    @Test("Durations, connections, outcomes and retries")
    func counts() async throws {
        let metrics = TestMetrics()
        let seen = Tally()
        try await TroubleServer.with { asked in
            switch seen.add("") {
            case 1: asked.refuse(.tooManyRequests)
            case 2: asked.refuse(.badTopic)
            default: asked.accept()
            }
        } _: { server in
            let client = try withMetricsFactory(metrics) { try server.client() }
            _ = await client.outcomes(of: [Example.push()], advancing: server.clock)
            for _ in 0..<3 { #expect(await client.send(Example.push()) == .accepted) }
            await client.shutdown()
        }
        let pushes = try metrics.expectCounter("apns.client.pushes", [("apns.outcome", "accepted")])
        #expect(pushes.totalValue == 3)
        let refused = try metrics.expectCounter(
            "apns.client.pushes",
            [("apns.outcome", "refused"), ("apns.reason", "BadTopic")]
        )
        #expect(refused.totalValue == 1)
        let retries = try metrics.expectCounter("apns.client.retries", [("apns.reason", "TooManyRequests")])
        #expect(retries.totalValue == 1)
        #expect(try metrics.expectTimer("apns.client.request.duration").values.count == 5)
        #expect(try metrics.expectGauge("apns.client.connections").values.first == 1)
    }
}
