import Foundation
import PushModel
import PushService

// Apps, groups and developers have the same columns for their secrets.
extension SQLSession {
    /// Replaces the secret of a row of a table.
    ///
    /// - Returns: the row; nil if it was deleted.
    /// - Throws: ``TooManySecrets``.
    func replaceSecret<Holder: SQLRecord & SecretHolder>(
        in table: String,
        id: Int64,
        by replacement: SecretReplacement
    ) throws -> Holder? {
        // Of two at once, the later keeps the secret that the earlier has made.
        let found: Holder? = try record(
            "FROM \(raw: table) WHERE id = \(id) AND deletedAt IS NULL \(raw: dialect.locking())"
        )
        guard var holder = found else { return nil }
        try holder.replaceSecret(by: replacement)
        try execute(
            """
            UPDATE \(raw: table) SET secretHash = \(holder.secretHash.bytes),
                formerSecrets = \(FormerSecret.stored(holder.formerSecrets)) WHERE id = \(id)
            """
        )
        return holder
    }
}

extension SQLStatement {
    /// Ends the secrets before the current one of a row of a table.
    static func endFormerSecrets(in table: String, id: Int64) -> SQLStatement {
        "UPDATE \(raw: table) SET formerSecrets = NULL WHERE id = \(id)"
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
