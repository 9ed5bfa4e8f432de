import PostgresClient

/// Statements that are sent together, in one round trip.
final class StatementList {
    fileprivate var statements: [PostgresConnection.Statement] = []

    func add(_ sql: String, _ values: PostgresValue...) { add(sql, values) }
    func add(_ sql: String, _ values: [PostgresValue]) { statements.append((sql, values)) }
}

extension PostgresConnection {
    /// Sends the statements that `body` adds to a list, and waits for all of them.
    ///
    /// - Returns: the rows of each.
    @discardableResult
    func pipeline(_ body: (StatementList) throws -> Void) throws -> [PostgresRows] {
        let list = StatementList()
        try body(list)
        return try pipeline(list.statements)
    }
}
