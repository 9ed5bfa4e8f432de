import GRDB
import GRDBSQLite
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

/// Measures SQLite's checkpoints, which move the write-ahead log into the database file as part of a commit.
///
/// Replaces SQLite's own hook (`PRAGMA wal_autocheckpoint`), which cannot be measured, and does the same: it runs a passive
/// checkpoint after a commit that leaves a given number of pages in the log.
final class CheckpointTimer: Sendable {
    private let pages: Int
    private let metrics: StoreMetrics

    /// Creates a timer for checkpoints, which a log of so many pages triggers.
    init(pages: Int, metrics: StoreMetrics) {
        self.pages = pages
        self.metrics = metrics
    }

    /// Measures the checkpoints of a connection for as long as it lives.
    func install(on database: Database) {
        // Never released: the connection may outlive the store.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        _ = unsafe sqlite3_wal_hook(
            database.sqliteConnection,
            { context, connection, name, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                let timer = unsafe Unmanaged<CheckpointTimer>.fromOpaque(context).takeUnretainedValue()
                guard pages >= timer.pages else { return SQLITE_OK }
                let start = ContinuousClock.now
                // A failure does not affect the commit, as with SQLite's own hook; the next commit tries again.
                _ = unsafe sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                timer.metrics.checkpointed(within: start.duration(to: .now))
                return SQLITE_OK
            },
            context
        )
    }
}
