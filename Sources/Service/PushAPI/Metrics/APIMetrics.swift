import Hummingbird
import Metrics
import Synchronization

/// The API's metrics, reported through swift-metrics to the backend that is set up when the API is created.
///
/// * `push.api.requests`: answered requests, by `http.request.method`, `http.route` (the path as in the OpenAPI description) and
///   `push.status` (`2xx`, `4xx`, `5xx`). A request for an unknown path has `other` as its method and route.
/// * `push.api.request.duration`: the time from a request's head until its response is ready, by the same. Small pushes that are
///   read and written together share one value.
/// * `push.api.logins.refused`: failed logins, including those answered with 429.
/// * `push.api.connections`: the number of open connections, including SDK links.
/// * `push.api.connections.refused`: connections refused because too many are open.
///
/// A class, so that a copy costs one reference.
final class APIMetrics: Sendable {
    /// Requests that are counted together.
    struct Kind: Hashable, Sendable {
        let method: String
        let route: String
        /// The first digit of the status.
        let statusClass: Int

        /// Makes the labels of a request; those of an unknown path have no route.
        init(method: String, route: String?, status: Int) {
            // Clients may send any method; only known routes limit them.
            self.method = route == nil ? "other" : method
            self.route = route ?? "other"
            statusClass = status / 100
        }
    }

    private struct Handles {
        let requests: Counter
        let duration: Timer

        init(_ kind: Kind, _ factory: any MetricsFactory) {
            let dimensions = [
                ("http.request.method", kind.method), ("http.route", kind.route),
                ("push.status", "\(kind.statusClass)xx"),
            ]
            requests = Counter(label: "push.api.requests", dimensions: dimensions, factory: factory)
            duration = Timer(
                label: "push.api.request.duration",
                dimensions: dimensions,
                preferredDisplayUnit: .seconds,
                factory: factory
            )
        }
    }

    /// Whether metrics are collected. A sandbox and the tests collect none, and then a request should not pay for them.
    let isOn = !(MetricsSystem.factory is NOOPMetricsHandler)
    private let factory = MetricsSystem.factory
    private let refusedLogins = Counter(label: "push.api.logins.refused")
    private let openConnections = Gauge(label: "push.api.connections")
    private let refusedConnections = Counter(label: "push.api.connections.refused")
    /// Handles that are created on first use and kept.
    private let handles = Mutex<[Kind: Handles]>([:])

    /// Returns the time for a measurement that begins; nil if metrics are not collected.
    var start: ContinuousClock.Instant? { isOn ? .now : nil }

    /// Records requests of a kind, one of a bounded number, that were answered together.
    func answered(_ kind: Kind, count: Int = 1, since start: ContinuousClock.Instant?) {
        guard let start else { return }
        let handles = handles.withLock { handles in
            if let known = handles[kind] { return known }
            let new = Handles(kind, factory)
            handles[kind] = new
            return new
        }
        handles.requests.increment(by: count)
        handles.duration.record(duration: start.duration(to: .now))
    }

    func loginRefused() { if isOn { refusedLogins.increment() } }
    func connections(_ count: Int) { if isOn { openConnections.record(count) } }
    func connectionRefused() { if isOn { refusedConnections.increment() } }
}

/// Counts and times the requests that go through the router.
struct RequestMetrics: RouterMiddleware {
    let metrics: APIMetrics

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        let start = metrics.start
        let response = try await next(request, context)
        metrics.answered(
            APIMetrics.Kind(
                method: request.method.rawValue,
                // Hummingbird gives an unknown path a name of its own, "NotFound".
                route: context.endpointPath.flatMap { $0.hasPrefix("/") ? $0 : nil },
                status: response.status.code
            ),
            since: start
        )
        return response
    }
}
