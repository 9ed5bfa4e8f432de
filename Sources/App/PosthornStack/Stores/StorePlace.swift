package import Crypto
import Foundation
package import Logging
package import PostgresClient
package import PushClock
import PushService
import PushStorePostgres
import PushStoreSQLite

/// The place where a service keeps its data.
package enum StorePlace: Sendable {
    /// `posthorn.sqlite` in the data folder.
    case folder
    case postgres(PostgresConfiguration)

    /// Reads the setting `store`.
    ///
    /// - Parameter url: the URL of a PostgreSQL database; nil for the data folder.
    /// - Throws: `PostgresConfiguration.Problem`, which does not repeat the URL: it may contain a password.
    package init(_ url: String?) throws(PostgresConfiguration.Problem) {
        self =
            if let url { .postgres(try PostgresConfiguration(url: url)) } else { .folder }
    }

    /// Returns the place with another maximum number of connections of a node; the data folder has none.
    package func with(connections: Int) -> StorePlace {
        guard case .postgres(let configuration) = self else { return self }
        return .postgres(configuration.with(connections: connections))
    }

    /// The URL of the database without its password; nil for the data folder.
    package var name: String? { if case .postgres(let configuration) = self { configuration.name } else { nil } }
}

extension ServiceStore {
    /// Opens the store of a service.
    ///
    /// Waits for a PostgreSQL server that is away, for as long as that takes.
    ///
    /// - Parameters:
    ///   - place: the place of the store.
    ///   - folder: the data folder of the service, which has its secret.
    ///   - identity: the number and the name among the nodes of a PostgreSQL database.
    ///   - clock: the clock of the service.
    ///   - logger: the logger.
    /// - Returns: the store and the secret of the service.
    /// - Throws: ``DataFolderProblem`` if the folder belongs to another store, or has not the secret of this one;
    ///   ``StoreProblem`` if waiting for the server does not help; `NodeError` if the node runs already.
    package static func open(
        _ place: StorePlace,
        in folder: DataFolder,
        as identity: NodeIdentity,
        clock: any CivilClock,
        logger: Logger
    ) async throws -> (store: ServiceStore, secret: SymmetricKey) {
        try folder.checkStore(place)
        guard case .postgres(let configuration) = place else {
            return try await ServiceStore.open(in: folder, logger: logger)
        }
        var nextLine = ContinuousClock.now
        while true {
            do {
                return try await open(configuration, in: folder, as: identity, clock: clock, logger: logger)
            } catch StoreError.unavailable(let reason) {
                guard !PostgresError.isLasting(reason) else { throw StoreProblem(configuration, reason) }
                if ContinuousClock.now >= nextLine {
                    logger.warning(
                        "The service starts when PostgreSQL answers",
                        metadata: ["store": "\(configuration)", "error": "\(reason)"]
                    )
                    nextLine = .now + reminder
                }
                try await Task.sleep(for: pause)
            } catch let error as PostgresError { throw StoreProblem(configuration, "\(error)") }
        }
    }

    /// Opens the database of a data folder.
    ///
    /// - Returns: the store and the secret of the service.
    /// - Throws: ``DataFolderProblem``; an error of SQLite.
    package static func open(
        in folder: DataFolder,
        logger: Logger
    ) async throws -> (store: ServiceStore, secret: SymmetricKey) {
        let database = folder.file("posthorn.sqlite")
        let store = try ServiceStore(sqlite: database, logger: logger)
        do { return (store, try await folder.secret(of: store.store, named: "'\(database)'")) } catch {
            try await store.close()
            throw error
        }
    }

    /// The time between two lines in the log about a server that is away, and between two attempts.
    private static let reminder = Duration.seconds(10)
    private static let pause = Duration.milliseconds(250)

    private static func open(
        _ configuration: PostgresConfiguration,
        in folder: DataFolder,
        as identity: NodeIdentity,
        clock: any CivilClock,
        logger: Logger
    ) async throws -> (store: ServiceStore, secret: SymmetricKey) {
        // Before the node has its number.
        let preparation = PostgresStore(
            PostgresPool(configuration.with(connections: 1), logger: logger),
            node: PostgresStore.commandNode
        )
        do {
            let secret = try await folder.secret(of: preparation, configuration)
            let store = try await NodeJoining(
                configuration: configuration,
                known: preparation,
                folder: folder,
                clock: clock,
                logger: logger
            ).join(as: identity)
            await preparation.close()
            return (store, secret)
        } catch {
            await preparation.close()
            throw error
        }
    }
}

extension DataFolder {
    /// Migrates a PostgreSQL store and notes it as that of the folder; returns the secret of its service.
    func secret(of store: PostgresStore, _ configuration: PostgresConfiguration) async throws -> SymmetricKey {
        try await store.migrate()
        guard try await !store.isUnfinishedCopy() else {
            let reason = "it has an unfinished copy of another store; run 'posthorn migrate' again"
            throw StoreProblem(configuration, reason)
        }
        let secret = try await secret(of: store, named: "the store '\(configuration)'")
        try noteStore(configuration)
        return secret
    }
}

/// The reason why a PostgreSQL database cannot be used as it is.
package struct StoreProblem: Error, CustomStringConvertible {
    package let description: String

    init(_ configuration: PostgresConfiguration, _ reason: String) {
        description =
            "The store '\(configuration)' cannot be used: \(reason). Check the setting 'store', and the server's databases and roles."
    }
}

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
