internal import CPostgres

// Waiting for the server, each time with a limit.
extension PostgresConnection {
    /// Sends what libpq holds back, and reads meanwhile, so that a server that waits for its reader goes on.
    ///
    /// - Throws: ``PostgresError/unavailable(_:)`` if the server takes nothing within the limit.
    func flush() throws(PostgresError) {
        var end = deadline()
        while true {
            switch unsafe PQflush(connection) {
            case 0: return
            case 1: break
            default: throw lost()
            }
            let found = try wait(until: end, "taken no bytes", wantsWrite: true)
            if found & PQ_WAIT_READABLE != 0 { try read() }
            // Bytes in any direction are progress.
            if found != PQ_WAIT_OVER { end = deadline() }
        }
    }

    /// Waits for the next result of what was sent.
    ///
    /// - Returns: the result, which the caller has to clear; nil at the end of the results of a statement.
    /// - Throws: ``PostgresError/unavailable(_:)`` if the server sends nothing within the limit.
    func nextResult() throws(PostgresError) -> OpaquePointer? {
        try flush()
        var end = deadline()
        while unsafe PQisBusy(connection) == 1 {
            if try wait(until: end, "sent nothing") != PQ_WAIT_OVER {
                try read()
                end = deadline()
            }
        }
        return unsafe PQgetResult(connection)
    }

    /// Waits for the only result of a statement, or the last of a script.
    ///
    /// - Returns: the result, which the caller has to clear.
    /// - Throws: ``PostgresError/unavailable(_:)`` if the server sends nothing within the limit.
    func onlyResult() throws(PostgresError) -> OpaquePointer? {
        var last: OpaquePointer?
        do throws(PostgresError) {
            while let next = try unsafe nextResult() {
                // After an error only its consequences follow.
                let isOver = unsafe last.map { unsafe Int(PQresultStatus($0)) == PQ_FATAL_ERROR } ?? false
                unsafe PQclear(isOver ? next : last)
                if !isOver { unsafe last = next }
                // The server waits for rows.
                if unsafe Int(PQresultStatus(next)) == PQ_COPY_IN { break }
            }
        } catch {
            // What the server has said before it closed the connection is the reason.
            guard let said = unsafe last, unsafe Int(PQresultStatus(said)) == PQ_FATAL_ERROR else {
                unsafe PQclear(last)
                throw error
            }
        }
        return unsafe last
    }

    private func read() throws(PostgresError) {
        // An error is also the next result, with the server's last message.
        guard unsafe PQconsumeInput(connection) == 1 || PQisBusy(connection) == 0 else { throw lost() }
    }

    private func deadline() -> ContinuousClock.Instant { .now + limit + grace }

    private func wait(
        until end: ContinuousClock.Instant,
        _ failure: String,
        wantsWrite: Bool = false
    ) throws(PostgresError) -> Int {
        let left = ContinuousClock.now.duration(to: end)
        // After a pause of this process the answer may have come, so the socket is looked at in any case.
        let milliseconds = left > .zero ? Int32(clamping: min(left, PostgresGivingUp.look).milliseconds) : 0
        let found = unsafe Int(pq_wait(connection, wantsWrite ? 1 : 0, milliseconds))
        guard found == PQ_WAIT_OVER else { return found }
        if givingUp.applies {
            cut()
            throw .unavailable(PostgresGivingUp.reason)
        }
        guard ContinuousClock.now >= end else { return found }
        cut()
        throw .unavailable(
            """
            the server keeps the connection open but has \(failure) for \(limit + grace); it must answer within \(limit). Check \
            whether its processes are stopped (SIGSTOP), and at the load and the disk of its machine
            """
        )
    }

    /// Runs a body each of whose statements may take a longer time than usual, such as a migration.
    package func allowing<Result>(_ limit: Duration, _ body: () throws -> Result) throws -> Result {
        let usual = self.limit
        try setLimit(limit)
        let result = Swift.Result { try body() }
        // A statement of a failed transaction is refused, so the caller's rollback brings back the usual limit of the server.
        self.limit = usual
        if !isBroken, !hasFailed { try setLimit(usual) }
        return try result.get()
    }
}
