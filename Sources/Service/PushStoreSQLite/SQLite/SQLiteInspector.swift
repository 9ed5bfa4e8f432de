import Foundation
import GRDB
import GRDBSQLite
import PushClock
package import PushService

/// Checks the pages of a database: once in the background when a service has started, and for `posthorn doctor`.
package actor SQLiteInspector: StoreInspector {
    private let database: DatabasePool
    private let metrics: StoreMetrics
    private let checking = AsyncMutex()
    private var last: (finding: Finding, validUntil: ContinuousClock.Instant)?

    init(_ database: DatabasePool, metrics: StoreMetrics) {
        self.database = database
        self.metrics = metrics
    }

    /// Returns the result of a check, which reads the database once.
    ///
    /// A result holds for ten seconds, or for twenty times of what the check took, so that callers cannot keep the disk busy.
    package func findings() async -> [Finding] {
        await checking.withLock {
            if let last, ContinuousClock.now < last.validUntil { return }
            let start = ContinuousClock.now
            let finding = await finding()
            last = (finding, .now + max(.seconds(10), start.duration(to: .now) * 20))
        }
        return last.map { [$0.finding] } ?? []
    }

    /// Returns the size of the file and of its write-ahead log.
    package nonisolated func bytes() -> Int64? {
        let sizes = [database.path, database.path + "-wal"].map { path in
            ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.int64Value
        }
        // The log is absent until something is written.
        return sizes[0].map { $0 + (sizes[1] ?? 0) }
    }

    /// Frees the pages that writes have kept, up to 64 MB. The next writes read theirs from the system's cache of files.
    package nonisolated func releaseMemory() async {
        _ = try? await database.writeWithoutTransaction { unsafe sqlite3_db_release_memory($0.sqliteConnection) }
    }

    private func finding() async -> Finding {
        let path = database.path
        do {
            let damage = try await database.read { try DatabaseProblem.damage(in: $0) }
            metrics.checked(isDamaged: damage != nil)
            guard let damage else { return Finding(of: "database", .ok, .databaseRight) }
            return Finding(of: "database", .wrong, .databaseDamaged, with: ["file": path, "detail": damage])
        } catch {
            let detail = DatabaseProblem(error, in: path)?.description ?? "\(error)"
            return Finding(of: "database", .unknown, .databaseUnchecked, with: ["detail": detail])
        }
    }
}
