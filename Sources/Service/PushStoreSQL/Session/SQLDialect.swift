/// The few points in which the statements of the two engines differ.
///
/// Both take `ON CONFLICT`, `RETURNING`, and booleans as `true` and `false`.
package enum SQLDialect: Sendable {
    case sqlite
    case postgres

    /// The function for the largest of several values.
    package var greatest: String { self == .sqlite ? "max" : "greatest" }

    /// The operator that compares values of which both may be NULL.
    package var isSame: String { self == .sqlite ? "IS" : "IS NOT DISTINCT FROM" }

    /// The query for the last position in the log of custom messages, including those of deleted messages.
    package var lastCustomMessage: String {
        self == .sqlite
            ? "SELECT seq FROM sqlite_sequence WHERE name = 'customMessage'" : "SELECT position FROM customMessageHead"
    }

    /// Locks the rows of a query until the commit, at its end. SQLite has one writer.
    package func locking(_ lock: SQLRowLock = .update) -> String { self == .sqlite ? "" : lock.rawValue }

    /// Returns the condition that a column has one of the values of a query, which is executed once and may end with a limit.
    package func isAmong(_ column: String, _ query: SQLStatement) -> SQLStatement {
        self == .sqlite ? "\(raw: column) IN (\(query))" : "\(raw: column) = ANY (ARRAY(\(query)))"
    }

    /// Returns the condition that a column is in a list.
    package func isAny(_ column: String, _ list: some Sequence<some BinaryInteger>) -> SQLStatement {
        self == .sqlite
            ? "\(raw: column) IN (SELECT value FROM json_each(\(numbers: list)))"
            : "\(raw: column) = ANY (\(numbers: list))"
    }
}

/// The strength of a lock on rows, as in PostgreSQL's documentation, section 13.3.2.
package enum SQLRowLock: String {
    case update = "FOR UPDATE"
    /// Lets others refer to the rows.
    case noKeyUpdate = "FOR NO KEY UPDATE"
    /// Leaves out rows that others have locked.
    case free = "FOR NO KEY UPDATE SKIP LOCKED"
    /// Keeps others from deleting the rows.
    case keyShare = "FOR KEY SHARE"
}
