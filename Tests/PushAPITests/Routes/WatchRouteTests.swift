import Metrics
import PrometheusExport
import PushAPI
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Watching the service", .suiteLimit)
struct WatchRouteTests {
    private static let token = "a token for metrics alone"

    /// A page with one metric of each kind.
    private static func factory() -> PrometheusMetricsFactory {
        let factory = PrometheusMetricsFactory(help: ["one.counter": "Things \"counted\"."])
        let dimensions = [("a.b", "x\"y\\z\nw")]
        let counter = Counter(label: "one.counter", dimensions: dimensions, factory: factory)
        counter.increment(by: 2)
        Counter(label: "one.counter", dimensions: dimensions, factory: factory).increment()
        Gauge(label: "one.gauge", factory: factory).record(1.5)
        Recorder(label: "one.size", factory: factory).record(7)
        Timer(label: "one.time", factory: factory).recordNanoseconds(2_000_000)
        Meter(label: "one.meter", factory: factory).set(3)
        return factory
    }

    @Test("Kinds, labels and help become the text format; the same name and labels are one series")
    func page() {
        let page = Self.factory().page(.text)
        #expect(page.contains("# HELP one_counter_total Things 'counted'.\n# TYPE one_counter_total counter\n"))
        #expect(page.contains(#"one_counter_total{a_b="x\"y\\z\nw"} 3"# + "\n"))
        #expect(page.contains("# TYPE one_gauge gauge\none_gauge 1.5\n"))
        #expect(page.contains("one_meter 3.0\n"))
        #expect(page.contains("one_size_bucket{le=\"5.0\"} 0\none_size_bucket{le=\"10.0\"} 1\n"))
        #expect(page.contains("one_size_sum 7.0\none_size_count 1\n"))
        #expect(page.contains("one_time_seconds_bucket{le=\"0.001\"} 0\n"))
        #expect(page.contains("one_time_seconds_sum 0.002\n"))
        #expect(!page.contains("# EOF"))
    }

    @Test("OpenMetrics names a counter's family without its suffix, gives units, and ends")
    func openMetrics() {
        let page = Self.factory().page(.openMetrics)
        #expect(page.contains("# TYPE one_counter counter\n"))
        #expect(page.contains("# UNIT one_time_seconds seconds\n"))
        #expect(page.hasSuffix("# EOF\n"))
    }

    @Test("A metric that is destroyed is gone, and others of its name stay")
    func destroyed() {
        let factory = PrometheusMetricsFactory(help: [:])
        let gauges = ["a", "b"].map { Gauge(label: "g", dimensions: [("n", $0)], factory: factory) }
        for gauge in gauges { gauge.record(1) }
        gauges[0].destroy()
        #expect(!factory.page(.text).contains(#"g{n="a"}"#))
        #expect(factory.page(.text).contains(#"g{n="b"} 1.0"#))
    }

    @Test("Metrics need their token or the operator's; Accept chooses the format")
    func route() async throws {
        func change(_ settings: inout PushAPI.Settings) {
            settings.metrics = Self.factory()
            settings.metricsToken = SecretHash(of: Self.token)
        }
        try await TestAPI.run(settings: change) { api in
            for token in [Self.token, TestAPI.operatorToken] {
                let answer = try await api.call("GET", "/metrics", authorization: "Bearer \(token)")
                #expect(answer.status == 200)
                #expect(answer.text.contains("one_counter_total"))
                #expect(answer.headers["content-type"] == PrometheusFormat.text.contentType)
            }
            let open = try await RawConnection.open(api.port) { connection in
                let accept = "Accept: application/openmetrics-text; version=1.0.0, text/plain;q=0.5"
                let bearer = "Bearer \(Self.token)"
                try await connection.send(api.request("GET", "/metrics", authorization: bearer, headers: accept))
                return try await connection.answer()
            }
            #expect(open.headers["content-type"] == PrometheusFormat.openMetrics.contentType)
            #expect(open.text.hasSuffix("# EOF\n"))
            let refused = try await api.call("GET", "/metrics", authorization: "Bearer \(Self.token)x")
            #expect(refused.status == 401)
            #expect(try await api.call("GET", "/metrics", authorization: .some(nil)).status == 401)
            let operation = try await api.call(
                "POST",
                "/posthorn/v1/operator/app.list",
                "{}",
                authorization: "Bearer \(Self.token)"
            )
            #expect(operation.status == 401, "The token opens metrics alone.")
        }
    }

    @Test("A service that begins to shut down is not ready, and says so")
    func draining() async throws {
        try await TestAPI.run { api in
            let before = try await api.call("GET", "/ready", authorization: .some(nil))
            #expect(before.status == 200)
            #expect(before.json?["status"] == "ready", "\(before.text)")
            api.core.readiness.setDraining(true)
            let after = try await api.call("GET", "/ready", authorization: .some(nil))
            #expect(after.status == 503)
            #expect(after.json?["draining"] == true)
            #expect(try await api.call("GET", "/health", authorization: .some(nil)).status == 200)
        }
    }
}
