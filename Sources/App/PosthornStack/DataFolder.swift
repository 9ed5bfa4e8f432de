import AppleDeveloper
package import Crypto
package import Foundation
import PostgresClient
import PushModel
import PushService
import PushStoreSQLite

/// The folder in which a Posthorn process stores its data.
///
/// The folder is locked for as long as the value lives, so only one process uses it at a time.
package final class DataFolder: Sendable {
    /// The files of the database, and its logs.
    private static let database = "posthorn.sqlite"
    private static let logs = ["posthorn.sqlite-wal", "posthorn.sqlite-shm"]

    package let path: String
    private let lock: Int32

    /// Opens the folder; creates it if there is none, readable only by its owner.
    ///
    /// - Throws: ``DataFolderProblem`` when another process uses it, or it cannot be created.
    package init(_ path: String) throws {
        let url = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
        self.path = url.path(percentEncoded: false)
        do { try PrivateFile.makeFolder(self.path) } catch {
            throw DataFolderProblem(
                "The data folder '\(path)' cannot be made: \(FileWords.reason(of: error) ?? error.localizedDescription)"
            )
        }
        let file = url.appending(path: "lock").path(percentEncoded: false)
        let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataFolderProblem("The data folder '\(path)' cannot be written to.") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw DataFolderProblem(
                "The data folder '\(path)' is in use by another Posthorn process; stop it, or choose another --data.",
                isInUse: true
            )
        }
        lock = descriptor
        StoreBackup.removeLeftovers(in: self.path, database: self.file(Self.database), restored: restored)
        removeDrafts(of: "secret.key")
    }

    /// Removes what a killed process has left of a file that ``PrivateFile`` writes.
    private func removeDrafts(of name: String) {
        for draft in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            guard draft.hasPrefix(name + "."), UUID(uuidString: String(draft.dropFirst(name.count + 1))) != nil else {
                continue
            }
            try? FileManager.default.removeItem(atPath: file(draft))
        }
    }

    /// Opens the folder; waits for a process that uses it only for a moment, such as a command.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - patience: the longest time to wait.
    /// - Returns: the locked folder.
    /// - Throws: as ``init(_:)``.
    package static func whenUnused(_ path: String, within patience: Duration = .seconds(3)) async throws -> DataFolder {
        let start = ContinuousClock.now
        while true {
            do { return try DataFolder(path) } catch let problem as DataFolderProblem where problem.isInUse {
                guard ContinuousClock.now - start < patience else { throw problem }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    deinit { close(lock) }

    /// Returns the path of a file or folder in this folder.
    package func file(_ name: String) -> String {
        URL(filePath: path).appending(path: name).path(percentEncoded: false)
    }

    /// Returns the secret from which all keys of the service are derived: 32 bytes, generated at first start.
    ///
    /// It is stored in its own file, not in the database, so a copy of the database alone cannot decrypt credentials.
    func secret() throws -> SymmetricKey { try Self.secret(at: file("secret.key")) }

    package static func secret(at path: String) throws -> SymmetricKey {
        let key = SymmetricKey(size: .bits256)
        // Exclusive: of two processes that start at once, one creates the file, and both read the same secret.
        let made = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            defer { close(made) }
            let isWritten = unsafe key.withUnsafeBytes { unsafe write(made, $0.baseAddress, $0.count) == $0.count }
            // Synced to disk before anything depends on it.
            guard isWritten, fsync(made) == 0 else {
                // Nothing depends on it yet, and a truncated key would prevent the next start.
                _ = unsafe unlink(path)
                throw DataFolderProblem("'\(path)' cannot be written; is the disk full?")
            }
            return key
        }
        // Never regenerated if it exists but cannot be read: everything sealed with it would be lost.
        guard errno == EEXIST else { throw DataFolderProblem("'\(path)' cannot be made: is its folder writable?") }
        return SymmetricKey(data: try readSecret(at: path))
    }

    private static func readSecret(at path: String) throws -> [UInt8] {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw DataFolderProblem(
                "'\(path)' cannot be read: \(FileWords.reason(of: error) ?? error.localizedDescription)"
            )
        }
        guard data.count == 32 else {
            throw DataFolderProblem("'\(path)' has \(data.count) bytes; expected 32. Restore it from a backup.")
        }
        return Array(data)
    }

    /// Returns the secret of a folder that has one, without locking the folder.
    package static func existingSecret(in folder: String) throws -> [UInt8] {
        let path = path(of: "secret.key", in: folder)
        guard FileManager.default.fileExists(atPath: path) else {
            throw DataFolderProblem("There is no '\(path)', without which the database is of no use. \(wayBack)")
        }
        return try readSecret(at: path)
    }

    /// The path at which a restore writes the database, until it is complete.
    package var restored: String { file(Self.database) + ".restored" }

    /// Returns whether the folder has a database, a part of one, or another secret than this one, or is that of a node.
    package func hasDatabase(besides secret: [UInt8]) -> Bool {
        Self.store(of: path) != nil || ([Self.database] + Self.logs).contains(where: has)
            || has("secret.key") && (try? Self.readSecret(at: file("secret.key"))) != secret
    }

    /// Makes a restored database and its secret those of the folder, which has no database.
    package func endRestore(secret: [UInt8]) throws {
        try PrivateFile.write(Data(secret), to: file("secret.key"))
        Self.sync(file("secret.key"))
        // The database last: until it is there, the restore can be repeated, and no service starts.
        try FileManager.default.moveItem(atPath: restored, toPath: file(Self.database))
        Self.sync(path)
    }

    /// Checks that the database is not lost, so that no service begins with an empty one in its place.
    ///
    /// - Throws: ``DataFolderProblem``.
    func checkDatabase() throws {
        let database = file(Self.database)
        let isThere = has(Self.database)
        if !isThere, FileManager.default.fileExists(atPath: restored) {
            throw DataFolderProblem(
                "A restore to '\(path)' was interrupted. Run 'posthorn restore' again; or, to begin without data, remove '\(restored)'."
            )
        }
        // A killed first start leaves an empty file at most.
        let traces = isThere ? ["secret.key"] : [Self.database + "-wal", Self.database + "-reserve"]
        guard !isThere || size(Self.database) == 0, let trace = traces.first(where: { size($0) > 0 }) else { return }
        throw DataFolderProblem(
            """
            \(isThere ? "The database '\(database)' is empty" : "There is no '\(database)'"), and '\(file(trace))' shows that there was \
            one. Put it back, or restore a backup: 'posthorn restore FILE --data \(path) --replace'. To begin without data, remove \
            '\(isThere ? database : file(trace))'; every device then loses its registration id.
            """
        )
    }

    private func size(_ name: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file(name))[.size] as? NSNumber)?.intValue ?? 0
    }

    private func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    private static func sync(_ path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Moves the database and the secret to a folder of their own.
    ///
    /// - Returns: the path of that folder.
    package func setDatabaseAside(at date: Date) throws -> String {
        // An interrupted restore may be repeated within the second.
        var name = "before-restore-\(Int(date.timeIntervalSince1970))"
        while has(name) { name += "-again" }
        // The secret last: until then, the folder can be used as it was.
        return try setDatabaseAside(in: name, with: ["secret.key"])
    }

    func setDatabaseAside(in folder: String, with others: [String] = []) throws -> String {
        let aside = file(folder)
        try PrivateFile.makeFolder(aside)
        for name in [Self.database] + Self.logs + others where has(name) {
            try FileManager.default.moveItem(atPath: file(name), toPath: aside + "/" + name)
        }
        return aside
    }

    /// Returns the path of a file without locking the folder, for commands that run beside the service.
    package static func path(of name: String, in folder: String) -> String {
        URL(filePath: folder, directoryHint: .isDirectory).absoluteURL.appending(path: name).path(percentEncoded: false)
    }
}

package struct DataFolderProblem: Error, CustomStringConvertible {
    package var description: String
    /// Whether another process holds the folder's lock.
    var isInUse: Bool

    init(_ description: String, isInUse: Bool = false) {
        self.description = description
        self.isInUse = isInUse
    }
}

extension DataFolder {
    /// The file with the URL of the store in PostgreSQL that the folder belongs to, without its password.
    private static let storeFile = "store"
    /// The file with the number of the node.
    private static let nodeFile = "node"

    /// Checks that the folder belongs to a store of this kind, so that a forgotten setting does not begin an empty service.
    ///
    /// It also checks that an SQLite database is not lost.
    ///
    /// - Throws: ``DataFolderProblem``.
    func checkStore(_ place: StorePlace) throws {
        if let migrationTarget {
            throw DataFolderProblem(
                "The migration of '\(path)' to \(migrationTarget) is not complete. Run 'posthorn migrate' again, or end it with "
                    + "'posthorn migrate --cancel'."
            )
        }
        switch (place, text(of: Self.storeFile)) {
        case (.folder, let noted?):
            throw DataFolderProblem(
                "The data folder '\(path)' belongs to a service on \(noted). Give its store with --store, the key store, or "
                    + "POSTHORN_STORE."
            )
        case (.postgres, nil) where FileManager.default.fileExists(atPath: file("posthorn.sqlite")):
            throw DataFolderProblem(
                "The data folder '\(path)' has an SQLite database, and --store names another. Copy it with 'posthorn migrate', "
                    + "or choose another --data."
            )
        case (.folder, nil): try checkDatabase()
        default: break
        }
    }

    /// Notes the store that the folder belongs to.
    func noteStore(_ configuration: PostgresConfiguration) throws {
        guard text(of: Self.storeFile) != configuration.name else { return }
        try PrivateFile.write(Data(configuration.name.utf8), to: file(Self.storeFile))
    }

    /// The number under which the service ran as a node; nil if it has none.
    var node: Int16? { text(of: Self.nodeFile).flatMap { Int16($0) } }

    /// Notes the number of the node.
    func noteNode(_ node: Int16) throws {
        guard self.node != node else { return }
        try PrivateFile.write(Data("\(node)".utf8), to: file(Self.nodeFile))
    }

    private func text(of name: String) -> String? { Self.text(at: file(name)) }

    private static func text(at path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the URL of the PostgreSQL store that a folder belongs to, without its password; nil for SQLite. Does not lock the folder.
    package static func store(of folder: String) -> String? { text(at: path(of: storeFile, in: folder)) }

    /// Returns the secret of the store's service. A store that was never used gets a new one; all nodes of a store have it in common.
    ///
    /// A new secret for a store that was used would have every device refused, upon which apps delete their registration ids.
    ///
    /// - Parameters:
    ///   - store: the open store.
    ///   - name: the store in the words of an error.
    /// - Returns: the secret.
    /// - Throws: ``DataFolderProblem`` if the folder has no secret, or another than that of the store.
    func secret(of store: any OperatorStore & KeyValueStore, named name: String) async throws -> SymmetricKey {
        let file = file("secret.key")
        let isMarked = try await store.value(SecretMark.key) != nil
        // Earlier versions marked only databases of PostgreSQL.
        let apps = isMarked ? [] : try await store.apps().map(\.id)
        guard FileManager.default.fileExists(atPath: file) || !isMarked && apps.isEmpty else {
            throw DataFolderProblem("There is no '\(file)', and \(name) has been used with a secret. \(Self.wayBack)")
        }
        let secret = try secret()
        let foreign = DataFolderProblem("The secret in '\(file)' is not that of \(name). \(Self.wayBack)")
        if !isMarked {
            let vault = CredentialVault(store: store, keys: ServiceKeys(secret: secret))
            guard try await !vault.opensNothing() else { throw foreign }
        }
        let mark = SecretMark.mark(of: secret)
        guard try await store.setDefault(mark, for: SecretMark.key) == mark else { throw foreign }
        return secret
    }

    /// The advice for a store whose secret is missing.
    static let wayBack = """
        Put back this service's secret.key: from another node, from a copy of the data folder, or from a file of 'posthorn backup', which \
        'posthorn restore' unpacks to another folder. With a new secret, every device would lose its registration id, and no credential could \
        be opened.
        """
}
