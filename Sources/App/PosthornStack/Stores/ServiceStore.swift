import Foundation
package import Logging
package import PushService
import PushStorePostgres
import PushStoreSQLite
import ServiceLifecycle

/// The open store of a service, of either engine.
package struct ServiceStore: Sendable {
    package let store: any PushStore
    /// Looks at the server, or checks the database of SQLite, for `posthorn doctor`.
    package let inspector: any StoreInspector
    /// The place among the nodes of the store; nil for a service that is alone.
    let node: NodeContext?
    /// Closes the store after its operations in progress; it must not be used afterwards.
    let close: @Sendable () async throws -> Void

    init(_ store: PostgresStore, bell: PostgresBell, node: NodeContext) {
        self.store = store
        inspector = PostgresInspector(store)
        self.node = node
        close = {
            await bell.close()
            await store.close()
        }
    }

    /// Opens a database of SQLite; on a full disk, after freeing the reserved space.
    ///
    /// - Parameters:
    ///   - path: the path of the file, created if there is none.
    ///   - logger: the logger.
    /// - Throws: `DatabaseProblem` if it cannot be opened; other errors if it was written by a newer version.
    package init(sqlite path: String, logger: Logger) throws {
        let store = try Self.open(path, logger: logger)
        self.store = store
        inspector = store.inspector
        node = nil
        close = { try store.close() }
    }

    /// Checks a database of SQLite while the service runs; nil for PostgreSQL, whose server does that.
    func check(logger: Logger) -> (any Service)? {
        node == nil ? DatabaseCheck(inspector: inspector, logger: logger) : nil
    }

    private static func open(_ path: String, logger: Logger) throws -> SQLiteStore {
        let reserve = DiskReserve(path: path + "-reserve")
        func store() throws -> SQLiteStore {
            try SQLiteStore(
                path: path,
                disk: { trouble in
                    if let trouble {
                        logger.error(
                            "The disk accepts no writes: pushes are answered with 503, accepted pushes wait",
                            metadata: ["error": "\(trouble)"]
                        )
                    } else {
                        reserve.take()
                        logger.notice("The disk accepts writes again")
                    }
                },
                damaged: { logger.error("A damaged row was skipped", metadata: ["error": "\($0)"]) }
            )
        }
        do {
            let store = try store()
            reserve.take()
            return store
        } catch let problem as DatabaseProblem where problem.isOfDisk {
            guard reserve.giveUp() else { throw problem }
            return try store()
        }
    }
}

/// Checks the pages of a database once, in the background, and logs damage, of which pushes would tell only when they meet it.
private struct DatabaseCheck: NamedService {
    let inspector: any StoreInspector
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for finding in await inspector.findings() where finding.state == .wrong {
                logger.error("\(finding.found)", metadata: finding.remedy.map { ["remedy": "\($0)"] } ?? [:])
            }
        }
        // The end of one service would end all.
        try? await gracefulShutdown()
    }
}

/// A file that reserves a little disk space, which a service frees when it starts on a full disk: without a few dozen kilobytes
/// for files beside the database, SQLite cannot even read it.
struct DiskReserve: Sendable {
    private static let bytes = 1 << 20

    let path: String

    /// Reserves the space, unless it is reserved already or there is none.
    func take() {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.bytes)) != 0 { giveUp() }
    }

    /// Frees the space. Returns whether any was reserved.
    @discardableResult
    func giveUp() -> Bool { unsafe unlink(path) == 0 }
}
