import AppleDeveloper
import Crypto
import Foundation
import PostgresClient
import PushService

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
            guard try await !vault.opensNothing(of: apps) else { throw foreign }
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
