import Foundation
import PushModel
package import PushService

// Apps, groups and developers have the same columns for their names and secrets.
extension SQLStore {
    package func rename(_ holder: HolderID, to name: String) async throws -> Bool {
        try await change { try $0.set("name = \(name)", of: holder) }
    }

    package func replaceSecret(
        of holder: HolderID,
        by replacement: SecretReplacement,
        sealed: [UInt8]?
    ) async throws -> (any SecretHolder)? {
        let (table, id) = holder.row
        return try await change { session in
            // Of two at once, the later keeps the secret that the earlier has made.
            let found = try session.first(
                """
                SELECT secretHash, formerSecrets FROM \(raw: table) WHERE id = \(id) AND deletedAt IS NULL
                \(raw: session.dialect.locking())
                """
            ) { row in
                Secrets(
                    secretHash: SecretHash(bytes: row.bytes(0)),
                    formerSecrets: try row.formerSecrets(1, of: table)
                )
            }
            guard var secrets = found else { return nil }
            try secrets.replaceSecret(by: replacement)
            let former = FormerSecret.stored(secrets.formerSecrets)
            if let sealed { try session.queue("UPDATE ownedApp SET sealedSecret = \(sealed) WHERE app = \(id)") }
            // Last, as it may lock the log.
            try session.set("secretHash = \(secrets.secretHash.bytes), formerSecrets = \(former)", of: holder)
            return secrets
        }
    }

    package func endFormerSecrets(of holder: HolderID) async throws {
        _ = try await change { try $0.set("formerSecrets = NULL", of: holder) }
    }
}

private struct Secrets: SecretHolder {
    var secretHash: SecretHash
    var formerSecrets: [FormerSecret]
}

extension HolderID {
    /// The table that has it in a row, and the id of the row.
    fileprivate var row: (table: String, id: Int64) {
        switch self {
        case .app(let id): ("app", Int64(id))
        case .group(let id): ("appGroup", id)
        case .developer(let id): ("developer", id)
        }
    }
}

extension SQLSession {
    /// Sets columns of an app, a group or a developer; other nodes hear of an app.
    ///
    /// - Returns: false if there is none.
    @discardableResult
    fileprivate func set(_ columns: SQLStatement, of holder: HolderID) throws -> Bool {
        let (table, id) = holder.row
        guard try execute("UPDATE \(raw: table) SET \(columns) WHERE id = \(id) AND deletedAt IS NULL") > 0 else {
            return false
        }
        if case .app = holder { try announce([.apps]) }
        return true
    }
}

extension FormerSecret {
    /// Returns secrets as a column has them, `[["0f…",1767254400000]]`; nil for none.
    static func stored(_ secrets: [FormerSecret]) -> String? {
        guard !secrets.isEmpty else { return nil }
        let rows = secrets.map { JSONValue.array([.string($0.hash.bytes.hexadecimal), .integer($0.end.milliseconds)]) }
        return JSONValue.array(rows).text
    }
}

extension SQLRow {
    /// Returns the secrets in a column of a table.
    ///
    /// - Throws: ``CorruptRow``.
    func formerSecrets(_ column: Int, of table: String) throws -> [FormerSecret] {
        guard let text = optionalText(column) else { return [] }
        let rows = (try? JSONValue(parsing: text))?.array ?? [.null]
        return try rows.map { row in
            guard let members = row.array, members.count == 2, let end = members[1].integer,
                let hash = members[0].string.flatMap({ [UInt8](hexadecimal: $0) })
            else { throw CorruptRow(table: table, column: "formerSecrets", found: text) }
            return FormerSecret(hash: SecretHash(bytes: hash), end: Date(milliseconds: end))
        }
    }
}
