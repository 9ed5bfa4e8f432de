import Logging
import Metrics
import MetricsTestKit
import PostgresTestSupport
import TestSupport
import Testing

@testable import PostgresClient

@Suite("Metrics of the PostgreSQL client", .suiteLimit)
struct PostgresMetricsTests {
    @Test("Connections in use and idle, calls that wait, connects and errors by reason")
    func pool() async throws {
        let metrics = TestMetrics()
        let server = try PostgresServer()
        let configuration = try PostgresConfiguration(url: server.url(), connections: 1)
        let pool = withMetricsFactory(metrics) { PostgresPool(configuration, logger: Logger(label: "tests")) }
        func gauge(_ state: String) throws -> Double? {
            try metrics.expectGauge("push.postgres.connections", [("push.state", state)]).lastValue
        }
        func connects(_ result: String) throws -> Int64 {
            try metrics.expectCounter("push.postgres.connects", [("push.result", result)]).totalValue
        }
        func errors(_ reason: String) throws -> Int64 {
            try metrics.expectCounter("push.postgres.errors", [("push.reason", reason)]).totalValue
        }
        let waiting = try metrics.expectGauge("push.postgres.waiting")

        // The lock holds up the first call, and with it the second: there is one connection.
        let holder = try PostgresConnection(configuration.info)
        try holder.execute("SELECT pg_advisory_lock(7)")
        async let first: Void = pool.run { _ = try $0.execute("SELECT pg_advisory_lock(7)") }
        try await eventually("the first call has the connection") { try gauge("used") == 1 }
        async let second: Void = pool.run { _ = try $0.execute("SELECT 1") }
        try await eventually("the second call waits") { waiting.lastValue == 1 }
        try holder.execute("SELECT pg_advisory_unlock(7)")
        try await first
        try await second
        #expect(try gauge("used") == 0 && gauge("idle") == 1 && waiting.lastValue == 0)

        await #expect(throws: PostgresError.self) { try await pool.run { try $0.executeScript("SELECT 1 / 0") } }
        try server.control("-m immediate stop")
        await #expect(throws: PostgresError.self) { try await pool.run { try $0.executeScript("SELECT 1") } }
        #expect(try gauge("used") == 0 && gauge("idle") == 0)
        await #expect(throws: PostgresError.self) { try await pool.run { try $0.executeScript("SELECT 1") } }
        try server.control("start")
        try await eventually("the server answers") { await (try? pool.run { try $0.executeScript("SELECT 1") }) != nil }
        #expect(try connects("opened") == 2 && connects("failed") >= 1)
        #expect(try errors("refused") == 1 && errors("unavailable") >= 2)
        #expect(try errors("conflict") == 0 && errors("unknown_outcome") == 0)
        await pool.close()
        #expect(try gauge("idle") == 0)
    }
}
