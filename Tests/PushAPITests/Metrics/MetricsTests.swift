import Metrics
import MetricsTestKit
import PushAPI
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Metrics of the API", .suiteLimit)
struct MetricsTests {
    private let metrics = TestMetrics()

    private func dimensions(_ method: String, _ route: String, _ status: String) -> [(String, String)] {
        [("http.request.method", method), ("http.route", route), ("push.status", status)]
    }

    private func requests(_ method: String, _ route: String, _ status: String) throws -> Int64 {
        try metrics.expectCounter("push.api.requests", dimensions(method, route, status)).totalValue
    }

    @Test("Requests by route and status, however they are answered, and refused logins")
    func requests() async throws {
        try await withMetricsFactory(metrics) {
            try await TestAPI.run { api in
                let device = api.core.registry.registrationID(of: try await api.addDevice().id)
                let push = """
                    {"platform":["ios"],"audience":{"registration_id":["\(device)"]},"notification":{"alert":"hi"}}
                    """
                try await RawConnection.open(api.port) { connection in
                    // The first makes the caller known; the others are answered on the event loop.
                    for _ in 0..<3 {
                        try await connection.send(api.request("POST", "/v3/push", push))
                        #expect(try await connection.answer().status == 200)
                    }
                }
                _ = try await api.call("POST", "/v3/push", "{")
                _ = try await api.call("GET", "/v3/devices/\(device)")
                let wrong = TestAPI.basic("\(api.app.key):a-wrong-secret")
                for _ in 0..<2 { _ = try await api.call("GET", "/v3/push/cid", authorization: wrong) }
                _ = try await api.call("DELETE", "/v3/push/cid")
                _ = try await api.call("GET", "/nowhere")
                let ofOne = #//v3/devices/\{\w+\}/#
                let route = try #require(api.face.routes.first { $0.path.wholeMatch(of: ofOne) != nil }?.path)
                #expect(try requests("GET", route, "2xx") == 1)
                #expect(try requests("POST", "/v3/push", "4xx") == 1)
                #expect(try requests("GET", "/v3/push/cid", "4xx") == 2)
                #expect(try requests("other", "other", "4xx") == 1)
                // Counted after the answer.
                try await eventually("all pushes are counted") { try requests("POST", "/v3/push", "2xx") == 3 }
                #expect(try metrics.expectCounter("push.api.logins.refused").totalValue == 2)
            }
        }
        let durations = try metrics.expectTimer("push.api.request.duration", dimensions("POST", "/v3/push", "2xx"))
        #expect(durations.values.count == 3)
        #expect(durations.values.allSatisfy { $0 > 0 })
    }

    @Test("Open connections, and those that are refused")
    func connections() async throws {
        try await withMetricsFactory(metrics) {
            try await TestAPI.run(settings: { $0.connections.total = 1 }) { api in
                let open = try metrics.expectGauge("push.api.connections")
                try await RawConnection.open(api.port) { connection in
                    try await connection.send(api.request("GET", "/health"))
                    #expect(try await connection.answer().status == 200)
                    #expect(open.lastValue == 1)
                    _ = try? await api.call("GET", "/health")
                    #expect(try metrics.expectCounter("push.api.connections.refused").totalValue == 1)
                }
                try await eventually("no connection is open") { open.lastValue == 0 }
            }
        }
    }
}
