import AppleDeveloper
import Crypto
import Foundation
import PostgresClient
import PushStorePostgres

extension DataFolder {
    /// The file with the URL of the store in PostgreSQL that the folder belongs to, without its password.
    private static let storeFile = "store"
    /// The file with the number of the node.
    private static let nodeFile = "node"

    /// Checks that the folder belongs to a store of this kind, so that a forgotten setting does not begin an empty service.
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

    /// Returns the secret of the service, which all nodes of a store have in common. The first node creates it.
    ///
    /// - Throws: ``DataFolderProblem`` if the store belongs to another secret.
    func secret(sharedIn store: PostgresStore) async throws -> SymmetricKey {
        let isThere = FileManager.default.fileExists(atPath: file("secret.key"))
        if !isThere, try await store.secretMark() != nil {
            throw DataFolderProblem(
                "The store has been used with a secret already, and '\(path)' has none. Copy secret.key from the data folder of "
                    + "another node."
            )
        }
        let secret = try secret()
        let mark = HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Array("store".utf8), outputByteCount: 16)
        let own = unsafe mark.withUnsafeBytes { unsafe Array($0) }
        guard try await store.markSecret(own) == own else {
            throw DataFolderProblem(
                "The secret in '\(file("secret.key"))' is not that of the store. Copy secret.key from the data folder of another "
                    + "node; if this service is new, its own can be overwritten."
            )
        }
        return secret
    }
}
