import GRDB
import GRDBSQLite

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
