import Metrics

/// The store's metrics, reported through swift-metrics to the backend that is set up when the store is opened.
///
/// * `push.store.transactions`: transactions, by `push.result` (`committed`, `failed`).
/// * `push.store.transaction.duration`: the time from the beginning of a transaction until it is on disk.
/// * `push.store.transaction.writes`: the number of writes that share a transaction.
/// * `push.store.transaction.rows`: the number of rows that a transaction inserts, changes and deletes.
/// * `push.store.waiting`: the number of writes that wait for the disk when a transaction begins, including its own.
/// * `push.store.checkpoint.duration`: the time that SQLite takes to move its write-ahead log into the database file.
/// * `push.store.damaged`: 1 if the last check of the database has found damage, otherwise 0.
///
/// A class, so that a copy costs one reference.
final class StoreMetrics: Sendable {
    /// Whether metrics are collected. A sandbox and the tests collect none, and then a write should not pay for them.
    let isOn = !(MetricsSystem.factory is NOOPMetricsHandler)
    private let committed = StoreMetrics.transactions("committed")
    private let failed = StoreMetrics.transactions("failed")
    private let duration = Timer(label: "push.store.transaction.duration", preferredDisplayUnit: .seconds)
    private let writes = Recorder(label: "push.store.transaction.writes")
    private let rows = Recorder(label: "push.store.transaction.rows")
    private let waiting = Gauge(label: "push.store.waiting")
    private let checkpoints = Timer(label: "push.store.checkpoint.duration", preferredDisplayUnit: .seconds)
    private let damaged = Gauge(label: "push.store.damaged")

    private static func transactions(_ result: String) -> Counter {
        Counter(label: "push.store.transactions", dimensions: [("push.result", result)])
    }

    /// Returns the time for a measurement that begins; nil if metrics are not collected.
    var start: ContinuousClock.Instant? { isOn ? .now : nil }

    /// Records a transaction that is on disk.
    func committed(since start: ContinuousClock.Instant?, writes count: Int, rows changes: Int) {
        guard let start else { return }
        committed.increment()
        duration.record(duration: start.duration(to: .now))
        writes.record(count)
        rows.record(changes)
    }

    func transactionFailed() { if isOn { failed.increment() } }
    func waiting(_ count: Int) { if isOn { waiting.record(count) } }
    func checked(isDamaged: Bool) { damaged.record(isDamaged ? 1 : 0) }
    func checkpointed(within time: Duration) { checkpoints.record(duration: time) }
}
