import Foundation
package import Logging
package import PushService
import PushStorePostgres
import PushStoreSQLite

/// The open store of a service, of either engine.
package struct ServiceStore: Sendable {
    private enum Engine: Sendable {
        case sqlite(SQLiteStore)
        case postgres(PostgresStore, PostgresBell)
    }

    private let engine: Engine
    /// The place among the nodes of the store; nil for a service that is alone.
    let node: NodeContext?

    package var store: any PushStore {
        switch engine {
        case .sqlite(let store): store
        case .postgres(let store, _): store
        }
    }

    init(_ store: PostgresStore, bell: PostgresBell, node: NodeContext) {
        (engine, self.node) = (.postgres(store, bell), node)
    }

    /// Opens a database of SQLite; on a full disk, after freeing the reserved space.
    ///
    /// - Parameters:
    ///   - path: the path of the file, created if there is none.
    ///   - logger: the logger.
    /// - Throws: ``DataFolderProblem`` if its disk is at fault; other errors if it cannot be opened.
    package init(sqlite path: String, logger: Logger) throws {
        (engine, node) = (.sqlite(try Self.open(path, logger: logger)), nil)
    }

    /// Looks at the server for `posthorn doctor`; nil for SQLite.
    package var server: (any StoreInspector)? {
        if case .postgres(let store, _) = engine { PostgresInspector(store) } else { nil }
    }

    /// Closes the store after its operations in progress; it must not be used afterwards.
    func close() async throws {
        switch engine {
        case .sqlite(let store): try store.close()
        case .postgres(let store, let bell):
            await bell.close()
            await store.close()
        }
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
        } catch let trouble as StoreError where trouble.retryAfter != nil {
            do {
                guard reserve.giveUp() else { throw trouble }
                return try store()
            } catch is StoreError {
                throw DataFolderProblem(
                    """
                    The database '\(path)' cannot be opened, because of its disk: \(trouble). Free space on the disk or repair it, \
                    and start again.
                    """
                )
            }
        }
    }
}
