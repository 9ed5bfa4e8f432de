// Transactions on a connection that is at hand.
extension PostgresConnection {
    /// Runs a body within a transaction, commits, and returns the body's result.
    ///
    /// The transaction begins with the first statement of the body, in one round trip; without a statement there is none.
    /// Statements that are queued at the end of the body are sent together with the commit.
    ///
    /// - Throws: the body's error, or that of a queued statement, after a rollback; ``PostgresError/unknownOutcome(_:)`` if
    ///   the connection is lost during the commit.
    package func transaction<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try check()
        queue("BEGIN")
        do {
            let result = try body(self)
            guard hasBegun else {
                dropQueued()
                return result
            }
            try commit()
            return result
        } catch {
            dropQueued()
            // A rollback that fails breaks the connection, and then the server rolls back.
            if !isBroken, isInTransaction { try? executeScript("ROLLBACK") }
            throw error
        }
    }

    private func commit() throws(PostgresError) {
        guard !hasFailed else {
            let message = "a statement of the transaction failed, and its error was ignored"
            throw .refused(sqlState: "25P02", message: message)
        }
        do throws(PostgresError) {
            // A failure of a queued statement has the commit left out.
            _ = try pipeline([("COMMIT", [])])
        } catch {
            // A statement that the server has refused, as its disk is full, has the transaction rolled back.
            let isKnown = !isLost && hasFailed
            guard case .unavailable(let reason) = error, isBroken, !isKnown else { throw error }
            throw .unknownOutcome(reason)
        }
    }

    /// Whether the transaction has sent a statement, or has one to send.
    private var hasBegun: Bool { queued.map(\.sql) != ["BEGIN"] }
}
