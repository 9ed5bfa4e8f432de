import Crypto
import Logging
import PostgresClient
import PushService
import PushStorePostgres
import PushStoreSQLite

/// The store of a data folder on which no service runs, opened for one command.
struct CommandStore: Sendable {
    let store: any OperatorStore
    let secret: SymmetricKey
    /// Looks at the store for `posthorn doctor`.
    let inspector: any StoreInspector
    /// The nodes that share the store; nil for SQLite.
    var nodes: (any NodeStore)?

    /// Opens the store; does not wait for a server that is away.
    ///
    /// A PostgreSQL store may be in use by other nodes, which read the command's changes as they read those of each other.
    ///
    /// - Parameters:
    ///   - place: the place of the store.
    ///   - folder: the data folder, which has the secret.
    /// - Returns: the open store.
    /// - Throws: ``DataFolderProblem``; ``StoreProblem``; the error of the store.
    static func open(_ place: StorePlace, in folder: DataFolder) async throws -> CommandStore {
        try folder.checkStore(place)
        switch place {
        case .folder:
            let database = folder.file("posthorn.sqlite")
            let store = try SQLiteStore(path: database)
            let secret = try await folder.secret(of: store, named: "'\(database)'")
            return CommandStore(store: store, secret: secret, inspector: store.inspector)
        case .postgres(let configuration):
            // A command reports errors itself.
            let pool = PostgresPool(configuration, logger: Logger(label: "store") { _ in SwiftLogNoOpLogHandler() })
            let store = PostgresStore(pool, node: PostgresStore.commandNode)
            do {
                let secret = try await folder.secret(of: store, configuration)
                return CommandStore(store: store, secret: secret, inspector: PostgresInspector(store), nodes: store)
            } catch StoreError.unavailable(let reason) {
                throw StoreProblem(configuration, reason)
            } catch let error as PostgresError {
                throw StoreProblem(configuration, "\(error)")
            }
        }
    }
}
