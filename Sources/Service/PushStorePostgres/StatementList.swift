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

    /// Queues the statements that `body` adds to a list. They are sent with the next one, or with the commit.
    func queue(_ body: (StatementList) throws -> Void) rethrows {
        let list = StatementList()
        try body(list)
        for statement in list.statements { queue(statement) }
    }
}
