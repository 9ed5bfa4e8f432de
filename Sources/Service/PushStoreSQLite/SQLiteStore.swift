import CSQLite
import Foundation
import GRDB
import PushModel
package import PushService
package import PushStoreSQL

/// The store in one SQLite file.
///
/// Write-ahead log with `synchronous = FULL`: committed data survives a power failure, not only a killed process. Reads run
/// concurrently with writes; writes share commits.
package final class SQLiteStore: PushStore {
    let database: DatabasePool
    let writes: GroupCommit
    let tokens = TokenIndex()
    let cids: CIDIndex
    let damage: DamageLog
    /// Checks the database for `posthorn doctor`.
    package let inspector: SQLiteInspector
    private let callbackObserver = CallbackObserver()
    /// The number of changes to apps by this process.
    package let appChanges = ChangeCount()

    /// SQLite without sums of its memory; they stay if this process has opened a database before.
    private static let isConfigured = sqlite3_config_no_memory_status() == SQLITE_OK

    /// Opens the file, creates it if necessary, and migrates its tables.
    ///
    /// - `logPages`: the number of pages that the write-ahead log grows by before they move into the file: pages that change often
    ///   move once.
    /// - `readers`: the most connections that read, besides the one that writes.
    /// - `disk`: called when the disk starts to refuse writes, and with nil when it accepts them again.
    /// - `damaged`: called once for each unreadable row that was skipped.
    /// - Throws: ``DatabaseProblem`` if the file cannot be opened; other errors if it was written by a newer version.
    package init(
        path: String,
        limits: GroupCommit.Limits? = nil,
        logPages: Int = 16_384,
        readers: Int = 5,
        disk: @escaping @Sendable (StoreError?) -> Void = { _ in },
        damaged: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        do {
            _ = Self.isConfigured
            damage = DamageLog(damaged)
            cids = CIDIndex(damage)
            var configuration = Configuration()
            configuration.foreignKeysEnabled = true
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = readers
            configuration.prepareDatabase { database in
                guard !database.configuration.readonly else { return }
                try database.execute(
                    sql: """
                        -- KiB, as far as they are used. With a million devices the default of 2 MB would have most writes read
                        -- first what they change.
                        PRAGMA cache_size = -65536;
                        PRAGMA wal_autocheckpoint = \(logPages);
                        -- What a savepoint may have to restore: otherwise in a file, to which each changed row writes.
                        PRAGMA temp_store = MEMORY;
                        """
                )
            }
            // The files next to it (-wal, -shm) get its mode.
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            let metrics = StoreMetrics()
            database = try DatabasePool(path: path, configuration: configuration)
            try database.writeWithoutTransaction { database in
                // This must come last: GRDB sets NORMAL when it opens a pool, overriding earlier settings.
                try database.execute(sql: "PRAGMA synchronous = FULL")
                guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else { throw NotDurable(path: path) }
                if metrics.isOn { CheckpointTimer(pages: logPages, metrics: metrics).install(on: database) }
            }
            inspector = SQLiteInspector(database, metrics: metrics)
            let migrator = Schema.migrator
            guard try !database.read(Schema.isOlder) else { throw OlderDatabase(path: path) }
            guard try !database.read(migrator.hasBeenSuperseded) else { throw NewerDatabase(path: path) }
            try migrator.migrate(database)
            database.add(transactionObserver: callbackObserver, extent: .databaseLifetime)
            let files = StoreFiles(path: path)
            writes = GroupCommit(
                database,
                tokens: tokens,
                files: files,
                limits: limits ?? GroupCommit.Limits(),
                metrics: metrics,
                disk: disk
            )
        } catch { throw DatabaseProblem(opening: path, error) ?? error }
    }

    package var callbackSignal: LocalWorkSignal { callbackObserver.signal }

    /// Waits for operations in progress and closes the file, which then has everything; the store must not be used afterwards.
    package func close() throws {
        // The pool closes its readers last, upon which SQLite would leave the log as it is. A log that stays is read at the next start.
        _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try database.close()
    }

    /// Reads from the database, concurrently with writes.
    ///
    /// - Throws: ``DatabaseProblem`` if the file is at fault; the error of the work.
    func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await database.read(work) } catch { throw DatabaseProblem(error, in: database.path) ?? error }
    }

    /// Checks that the database is not damaged.
    ///
    /// - Throws: ``DatabaseProblem``.
    package func checkPages() async throws {
        let damage = try await read { try DatabaseProblem.damage(in: $0) }
        if let damage { throw DatabaseProblem(path: database.path, damage: damage) }
    }
}

/// The error for a database written by a newer version of Posthorn.
package struct NewerDatabase: Error, CustomStringConvertible {
    var path: String
    package var description: String {
        "The database \(path) was written by a newer version of Posthorn; use that version, or another data folder."
    }
}

/// The error for a database written by a version of Posthorn before 0.1.0.
package struct OlderDatabase: Error, CustomStringConvertible {
    var path: String
    package var description: String {
        """
        The database \(path) was written by a version of Posthorn before 0.1.0, which no release reads. Use an empty data \
        folder, and create the apps anew; devices register again by themselves.
        """
    }
}

/// The error if SQLite does not sync to disk, so that no push may be accepted.
struct NotDurable: Error, CustomStringConvertible {
    var path: String
    var description: String {
        """
        SQLite does not take 'synchronous = FULL' for \(path), so a power cut could lose what was accepted. \
        Use a build of SQLite that does.
        """
    }
}
