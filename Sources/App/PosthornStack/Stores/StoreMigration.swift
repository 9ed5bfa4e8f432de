import AppleDeveloper
import Foundation
import Logging
package import PostgresClient
import PushService
import PushStorePostgres
import PushStoreSQLite
import Synchronization

/// Moves a service from SQLite to PostgreSQL: copies its database, and then makes its data folder that of a node.
///
/// An interrupted migration continues where it stopped. Until its end or ``cancel(in:)``, no service starts on the folder, so that the copy
/// has the data of one moment.
package struct StoreMigration: Sendable {
    /// The number of rows that are copied, and of all.
    package final class Progress: Sendable {
        private let doneRows = Atomic(0)
        private let allRows = Atomic(0)

        package init() {}

        package var done: Int { doneRows.load(ordering: .relaxed) }
        package var all: Int { allRows.load(ordering: .relaxed) }

        func add(_ rows: Int) { _ = doneRows.wrappingAdd(rows, ordering: .relaxed) }
        func begin(at done: Int, of all: Int) {
            doneRows.store(done, ordering: .relaxed)
            allRows.store(all, ordering: .relaxed)
        }
    }

    /// The contents of the database.
    package struct Facts: Sendable {
        package var rows: Int
        package var apps: Int
        package var devices: Int
        package var pushes: Int
        /// The number of rows that an earlier run has copied.
        package var resumedAt: Int
        /// The path of the folder with the earlier database.
        package var aside: String
    }

    private let data: String
    private let configuration: PostgresConfiguration

    /// - Parameters:
    ///   - data: the path of the data folder.
    ///   - configuration: the empty database to copy to.
    package init(data: String, to configuration: PostgresConfiguration) {
        self.data = data
        self.configuration = configuration
    }

    /// Migrates the folder.
    ///
    /// - Parameter progress: told of the rows that are copied.
    /// - Returns: the contents of the database.
    /// - Throws: ``DataFolderProblem`` if a service runs on the folder, or it has no database; `PostgresImport.Problem` if the target has other
    ///   data; ``StoreProblem`` if the server cannot be used; the error of SQLite.
    package func run(_ progress: Progress) async throws -> Facts {
        let database = DataFolder.path(of: "posthorn.sqlite", in: data)
        // At the end of a migration, the database is moved aside first.
        let isThere = FileManager.default.fileExists(atPath: database)
        guard isThere || DataFolder.isMigrating(data) else {
            throw DataFolderProblem(
                "There is no posthorn.sqlite in '\(data)'; expected the data folder of a service on SQLite. Give it with --data."
            )
        }
        // Held until the end, so that no service starts meanwhile.
        let folder = try DataFolder(data)
        defer { withExtendedLifetime(folder) {} }
        if isThere { try await Self.prepare(database, in: folder) }
        let source = try folder.beginMigration(to: configuration)
        let pool = PostgresPool(
            configuration.with(connections: 1),
            logger: Logger(label: "store") { _ in SwiftLogNoOpLogHandler() }
        )
        let store = PostgresStore(pool, node: PostgresStore.commandNode)
        do {
            let facts = try await move(database, as: source, to: store, of: folder, progress: progress)
            await store.close()
            return facts
        } catch {
            await store.close()
            switch error {
            case StoreError.unavailable(let reason): throw StoreProblem(configuration, reason)
            case let error as PostgresError: throw StoreProblem(configuration, "\(error)")
            default: throw error
            }
        }
    }

    /// Ends an interrupted migration, so that the service can start on SQLite again.
    ///
    /// - Parameter data: the path of the data folder.
    /// - Returns: the database that has a part of the data; nil if there was no migration.
    /// - Throws: ``DataFolderProblem``.
    package static func cancel(in data: String) throws -> String? { try DataFolder(data).cancelMigration() }

    /// Checks the SQLite database, and brings it to the current version.
    private static func prepare(_ database: String, in folder: DataFolder) async throws {
        try folder.checkDatabase()
        let store = try SQLiteStore(path: database)
        try await store.checkPages()
        _ = try await folder.secret(of: store, named: "'\(database)'")
        try store.close()
    }

    private func move(
        _ database: String,
        as source: (id: String, isNew: Bool),
        to store: PostgresStore,
        of folder: DataFolder,
        progress: Progress
    ) async throws -> Facts {
        try await store.migrate()
        let copying = PostgresImport(into: store)
        let state: PostgresImport.State
        do { state = try await copying.begin(source.id) } catch let problem as PostgresImport.Problem {
            // Nothing has begun, and the service goes on with SQLite.
            if source.isNew { _ = try folder.cancelMigration() }
            throw problem
        }
        let (rows, resumedAt): ([String: Int], Int) =
            switch state {
            case .copied(let done): (try await copy(database, by: copying, from: done, progress), done)
            case .complete(let rows): (rows, rows.values.reduce(0, +))
            }
        _ = try await folder.secret(of: store, named: "the store '\(configuration)'")
        let aside = try folder.endMigration(to: configuration)
        try await copying.conclude()
        return Facts(
            rows: rows.values.reduce(0, +),
            apps: rows["app"] ?? 0,
            devices: rows["device"] ?? 0,
            pushes: rows["message"] ?? 0,
            resumedAt: resumedAt,
            aside: aside
        )
    }

    /// - Returns: the numbers of rows by table.
    private func copy(
        _ database: String,
        by copying: PostgresImport,
        from done: Int,
        _ progress: Progress
    ) async throws -> [String: Int] {
        let rows = try SQLiteRows(path: database)
        progress.begin(at: done, of: try rows.tables.reduce(0) { $0 + (try rows.count(of: $1)) })
        try await copying.copy(rows) { progress.add($0) }
        // A cid counts for a day.
        let since = Int64((Date().timeIntervalSince1970 - 2 * 86_400) * 1000)
        try await copying.copyCIDs(rows, since: since)
        let counts = try await copying.finish(rows)
        try rows.close()
        return counts
    }
}

extension DataFolder {
    /// The file that names an unfinished migration: its id, and the target without its password.
    private static let migrationFile = "migration"

    /// The target of an unfinished migration; nil if there is none.
    var migrationTarget: String? { migration?.target }

    /// Returns whether a folder has an unfinished migration. Does not lock the folder.
    fileprivate static func isMigrating(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: migrationFile, in: folder))
    }

    private var migration: (id: String, target: String)? {
        let lines = (try? String(contentsOfFile: file(Self.migrationFile), encoding: .utf8))?.split(separator: "\n")
        guard let lines, lines.count == 2 else { return nil }
        return (String(lines[0]), String(lines[1]))
    }

    /// Reserves the folder for a migration.
    ///
    /// - Returns: the id of the migration, which stays the same when it continues, and whether it begins.
    fileprivate func beginMigration(to configuration: PostgresConfiguration) throws -> (id: String, isNew: Bool) {
        if let migration {
            guard migration.target == configuration.name else {
                throw DataFolderProblem(
                    "A migration of '\(path)' to \(migration.target) is not complete. Continue it, or end it with "
                        + "'posthorn migrate --cancel'."
                )
            }
            return (migration.id, false)
        }
        let id = UUID().uuidString
        try PrivateFile.write(Data("\(id)\n\(configuration.name)\n".utf8), to: file(Self.migrationFile))
        return (id, true)
    }

    fileprivate func cancelMigration() throws -> String? {
        guard let migration else { return nil }
        guard Self.store(of: path) != migration.target else {
            throw DataFolderProblem(
                "The data of '\(path)' is complete in \(migration.target), and the migration is at its end. Run 'posthorn migrate' again."
            )
        }
        try FileManager.default.removeItem(atPath: file(Self.migrationFile))
        return migration.target
    }

    /// Makes the folder that of a node, and moves the SQLite database aside.
    ///
    /// - Returns: the path of the folder with the SQLite database.
    fileprivate func endMigration(to configuration: PostgresConfiguration) throws -> String {
        try noteStore(configuration)
        let aside = try setDatabaseAside(in: "before-migrate")
        try? FileManager.default.removeItem(atPath: file("posthorn.sqlite-reserve"))
        try FileManager.default.removeItem(atPath: file(Self.migrationFile))
        return aside
    }
}
