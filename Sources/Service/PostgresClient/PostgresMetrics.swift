import Metrics
import Synchronization

/// The pool's metrics, reported through swift-metrics to the backend that is set up when the pool is created.
///
/// * `push.postgres.connections`: open connections, by `push.state` (`used`, `idle`).
/// * `push.postgres.waiting`: calls that wait for a connection.
/// * `push.postgres.connects`: attempts to open a connection, by `push.result` (`opened`, `failed`).
/// * `push.postgres.errors`: calls that ended with an error of PostgreSQL, by `push.reason` (`unavailable`, `conflict`,
///   `unknown_outcome`, `refused`).
final class PostgresMetrics: Sendable {
    private struct Counts {
        var used = 0
        var idle = 0
        var waiting = 0
    }

    /// Whether metrics are collected.
    private let isOn = !(MetricsSystem.factory is NOOPMetricsHandler)
    private let counts = Mutex(Counts())
    private let used = PostgresMetrics.connections("used")
    private let idle = PostgresMetrics.connections("idle")
    private let waiting = Gauge(label: "push.postgres.waiting")
    private let opened = PostgresMetrics.connects("opened")
    private let failed = PostgresMetrics.connects("failed")
    private let unavailable = PostgresMetrics.errors("unavailable")
    private let conflicts = PostgresMetrics.errors("conflict")
    private let unknown = PostgresMetrics.errors("unknown_outcome")
    private let refused = PostgresMetrics.errors("refused")

    private static func connections(_ state: String) -> Gauge {
        Gauge(label: "push.postgres.connections", dimensions: [("push.state", state)])
    }

    private static func connects(_ result: String) -> Counter {
        Counter(label: "push.postgres.connects", dimensions: [("push.result", result)])
    }

    private static func errors(_ reason: String) -> Counter {
        Counter(label: "push.postgres.errors", dimensions: [("push.reason", reason)])
    }

    /// A call that waits for a thread of the pool.
    final class Call: Sendable {
        private let metrics: PostgresMetrics
        private let isWaiting = Atomic(true)

        init(_ metrics: PostgresMetrics) {
            self.metrics = metrics
            metrics.change { $0.waiting += 1 }
        }

        /// The call has its thread, or is over.
        func end() { if isWaiting.exchange(false, ordering: .relaxed) { metrics.change { $0.waiting -= 1 } } }
    }

    func attempted(isOpened: Bool) {
        guard isOn else { return }
        if isOpened { opened.increment() } else { failed.increment() }
    }

    /// The number of idle connections has changed, and that of used ones.
    func changed(used: Int, idle: Int) {
        change { counts in
            counts.used += used
            counts.idle = idle
        }
    }

    func count(_ error: PostgresError) {
        guard isOn else { return }
        switch error {
        case .unavailable: unavailable.increment()
        case .conflict: conflicts.increment()
        case .unknownOutcome: unknown.increment()
        case .refused: refused.increment()
        }
    }

    private func change(_ change: (inout Counts) -> Void) {
        guard isOn else { return }
        // Recorded under the lock, so that the last value stays the newest.
        counts.withLock { counts in
            change(&counts)
            used.record(counts.used)
            idle.record(counts.idle)
            waiting.record(counts.waiting)
        }
    }
}
