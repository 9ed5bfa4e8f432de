internal import CPostgres

/// A connection to the server. It is used by one thread at a time, inside the bodies of ``PostgresPool``.
@safe package final class PostgresConnection {
    /// A statement with its parameters.
    package typealias Statement = (sql: String, values: [PostgresValue])

    let connection: OpaquePointer
    var statements = StatementCache()
    /// The statements that are sent with the next one.
    private(set) var queued: [Statement] = []
    /// Whether the connection was lost, or is in a state that nobody expects.
    private(set) var isBroken = false
    /// The time that the server has for a statement, after which it gives it up.
    var limit: Duration
    /// The time for the answer that a statement was given up. A server that does not send it is stopped.
    var grace: Duration { min(limit, .seconds(2)) }
    let givingUp: PostgresGivingUp

    /// The oldest version that the tests run on. Pipelines, and checks whether the client is still there, came with 14.
    package static let oldestServer = 150_000
    /// The time after which the server ends a session that does nothing within its transaction. The transaction of a process that
    /// stands still must not keep its locks from other nodes.
    private static let longestPause = Duration.seconds(10)

    /// Connects, by a connection string or URL as libpq takes it, and waits until the server is ready. A statement has a
    /// limited time; `givingUp` says when to wait no longer.
    ///
    /// - Throws: ``PostgresError/unavailable(_:)`` if libpq is missing or the server does not accept the connection.
    init(
        _ info: String,
        limit: Duration = .seconds(30),
        givingUp: PostgresGivingUp = PostgresGivingUp()
    ) throws(PostgresError) {
        if let problem = unsafe pq_load() {
            let reason = unsafe String(cString: problem)
            throw .unavailable("\(reason). A store on PostgreSQL needs libpq: install the package libpq5")
        }
        guard let connection = unsafe PQconnectdb(info) else { throw .unavailable("out of memory") }
        guard unsafe PQstatus(connection) == Int32(PQ_CONNECTION_OK) else {
            defer { unsafe PQfinish(connection) }
            throw .unavailable(ConnectionAdvice.adding(to: unsafe Self.message(of: connection)))
        }
        unsafe pq_silence(connection)
        unsafe self.connection = connection
        self.limit = limit
        self.givingUp = givingUp
        try prepare()
    }

    private func prepare() throws(PostgresError) {
        guard serverVersion >= Self.oldestServer else {
            throw .unavailable(
                "the server is PostgreSQL \(serverVersion / 10_000); 15 or newer is required. Upgrade it, or use another"
            )
        }
        try succeed(unsafe PQsetnonblocking(connection, 1) + 1)
        // A statement whose client has gone ends within seconds, and so do its locks. JIT compilation is for long analyses: it costs a
        // second for each execution of a statement whose rows the server overestimates.
        try executeScript(
            """
            SET jit = off;
            SET client_connection_check_interval = 5000;
            SET idle_in_transaction_session_timeout = \(Self.longestPause.milliseconds);
            SET statement_timeout = \(limit.milliseconds)
            """
        )
    }

    /// Sets the time for the following statements.
    func setLimit(_ limit: Duration) throws(PostgresError) {
        try executeScript("SET statement_timeout = \(limit.milliseconds)")
        self.limit = limit
    }

    deinit { unsafe PQfinish(connection) }

    /// The server's version as a number: 150018 is 15.18.
    package var serverVersion: Int { unsafe Int(PQserverVersion(connection)) }

    /// Executes one statement, with the parameters `$1`, `$2` and so on, which is prepared at its first use with parameters
    /// of these types.
    @discardableResult
    package func execute(_ sql: String, _ values: PostgresValue...) throws(PostgresError) -> PostgresRows {
        try execute(sql, values)
    }

    @discardableResult
    package func execute(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> PostgresRows {
        if !queued.isEmpty, let rows = try pipeline([(sql, values)]).last { return rows }
        let key = StatementCache.Key(sql: sql, types: values.map(\.type))
        let name: String
        if let known = statements.name(of: key) {
            name = known
        } else {
            name = statements.newName()
            try succeed(unsafe PQsendPrepare(connection, name, sql, Int32(values.count), key.types))
            _ = try unsafe rows(onlyResult())
            statements.add(name, for: key)
        }
        try send(name, values)
        let found = try unsafe rows(onlyResult())
        try giveUpOldStatements()
        return found
    }

    /// Adds a statement whose rows nobody needs: it is sent together with the next one, or with the commit of the
    /// transaction. If it fails, the next call throws its error.
    package func queue(_ sql: String, _ values: PostgresValue...) { queue((sql, values)) }
    package func queue(_ statement: Statement) { queued.append(statement) }

    /// Sends the statements that are queued.
    package func sendQueued() throws(PostgresError) { _ = try pipeline([]) }

    /// Forgets the statements that are queued.
    func dropQueued() { queued = [] }

    /// Keeps the number of prepared statements within its limit.
    private func giveUpOldStatements() throws(PostgresError) {
        let names = statements.removeOldest()
        guard !names.isEmpty else { return }
        try executeScript(names.map { "DEALLOCATE \($0)" }.joined(separator: "; "))
    }

    /// Whether a statement of the transaction has failed: PostgreSQL answers its commit with a rollback.
    var hasFailed: Bool { unsafe Int(PQtransactionStatus(connection)) == PQ_TRANSACTION_FAILED }

    /// Whether the connection itself is lost; otherwise the server has said what it did.
    var isLost: Bool { unsafe PQstatus(connection) != Int32(PQ_CONNECTION_OK) }

    /// The number of the server's process that serves the connection.
    package var process: Int32 { unsafe PQbackendPID(connection) }

    var isInTransaction: Bool { unsafe Int(PQtransactionStatus(connection)) != PQ_TRANSACTION_NONE }

    /// Throws if the server has closed the connection while nobody used it. Does not ask the server.
    func check() throws(PostgresError) {
        // The first call may read the server's last message, and the next one the end.
        for _ in 0..<2 {
            guard unsafe PQconsumeInput(connection) == 1, unsafe PQstatus(connection) == Int32(PQ_CONNECTION_OK) else {
                throw lost()
            }
        }
    }

    /// Executes statements without parameters, separated by semicolons.
    package func executeScript(_ sql: String) throws(PostgresError) {
        try sendQueued()
        try succeed(unsafe PQsendQuery(connection, sql))
        _ = try unsafe rows(onlyResult())
    }

    /// Sends several statements, after those that are queued, at once and then reads their results: one round trip for all.
    /// Outside a transaction they are one transaction. After a failure the later ones are not executed.
    ///
    /// - Returns: the rows of each, without those of queued statements.
    package func pipeline(_ added: [Statement]) throws(PostgresError) -> [PostgresRows] {
        let sent = queued + added
        queued = []
        guard !sent.isEmpty else { return [] }
        try succeed(unsafe PQenterPipelineMode(connection))
        var prepared: [StatementCache.Key: String] = [:]
        var isRow: [Bool] = []
        for statement in sent {
            let key = StatementCache.Key(sql: statement.sql, types: statement.values.map(\.type))
            let known = statements.name(of: key) ?? prepared[key]
            let name = known ?? statements.newName()
            if known == nil {
                try succeed(unsafe PQsendPrepare(connection, name, statement.sql, Int32(key.types.count), key.types))
                prepared[key] = name
                isRow.append(false)
            }
            try send(name, statement.values)
            isRow.append(true)
        }
        try succeed(unsafe PQpipelineSync(connection))
        let found = try readPipeline(isRow)
        for (key, name) in prepared { statements.add(name, for: key) }
        try giveUpOldStatements()
        return Array(found.suffix(added.count))
    }

    /// Sends the parameters of a prepared statement.
    private func send(_ name: String, _ values: [PostgresValue]) throws(PostgresError) {
        let isSent = unsafe Self.withParameters(values) { parameters in
            unsafe PQsendQueryPrepared(
                connection,
                name,
                Int32(values.count),
                parameters.values,
                parameters.lengths,
                parameters.formats,
                1
            )
        }
        try succeed(isSent)
    }

    private func readPipeline(_ isRow: [Bool]) throws(PostgresError) -> [PostgresRows] {
        var found: [PostgresRows] = []
        var failure: PostgresError? = nil
        for isRow in isRow {
            do throws(PostgresError) {
                let next = try unsafe rows(nextResult())
                if isRow { found.append(next) }
            } catch {
                failure = failure ?? error
                // Of a server that goes on, the end of the pipeline says that the transaction has failed.
                if isLost { throw failure ?? error }
            }
            do throws(PostgresError) {
                // NULL ends the results of each statement.
                while let more = try unsafe nextResult() { unsafe PQclear(more) }
            } catch { throw failure ?? error }
        }
        let end = try unsafe nextResult()
        let isEnd = unsafe Int(PQresultStatus(end)) == PQ_PIPELINE_SYNC
        unsafe PQclear(end)
        guard isEnd, unsafe PQexitPipelineMode(connection) == 1 else {
            isBroken = true
            throw failure ?? .unavailable(unsafe Self.message(of: connection))
        }
        if let failure { throw failure }
        return found
    }

    /// Inserts rows with `COPY … FROM STDIN` in the binary format, the fastest way to insert many, and returns their number. The table
    /// has its columns in parentheses, as in `device (app, ordinal)`; the values must have exactly the types of the columns.
    @discardableResult
    package func copy(into table: String, _ rows: some Sequence<[PostgresValue]>) throws(PostgresError) -> Int {
        try sendQueued()
        try succeed(unsafe PQsendQuery(connection, "COPY \(table) FROM STDIN (FORMAT binary)"))
        _ = try unsafe self.rows(onlyResult())
        // The signature, no flags, no extension.
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 13, 10, 0] + [UInt8](repeating: 0, count: 8)
        for row in rows {
            PostgresValue.append(Int16(row.count), to: &bytes)
            for value in row { value.appendField(to: &bytes) }
            if bytes.count > 1 << 18 {
                try put(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        PostgresValue.append(Int16(-1), to: &bytes)
        try put(bytes)
        try succeed(unsafe PQputCopyEnd(connection, nil))
        return try unsafe self.rows(onlyResult()).affected
    }

    private func put(_ bytes: [UInt8]) throws(PostgresError) {
        let isTaken = unsafe bytes.withUnsafeBytes { bytes in
            unsafe PQputCopyData(connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        try succeed(isTaken)
        // Otherwise libpq keeps the bytes, as many as there are.
        try flush()
    }

    /// The file descriptor of the connection's socket; -1 without a connection.
    var socket: Int32 { unsafe PQsocket(connection) }

    /// Returns the texts of the notifications that have arrived, without waiting.
    func notifications() throws(PostgresError) -> [String] {
        guard unsafe PQconsumeInput(connection) == 1 else {
            isBroken = true
            throw .unavailable(unsafe Self.message(of: connection))
        }
        var texts: [String] = []
        while let next = unsafe PQnotifies(connection) {
            if let text = unsafe next.pointee.extra { texts.append(unsafe String(cString: text)) }
            unsafe PQfreemem(next)
        }
        return texts
    }

    /// Takes over a result, or throws its error.
    private func rows(_ result: OpaquePointer?) throws(PostgresError) -> PostgresRows {
        guard let result = unsafe result else {
            isBroken = true
            throw .unavailable(unsafe Self.message(of: connection))
        }
        switch unsafe Int(PQresultStatus(result)) {
        case PQ_COMMAND_OK, PQ_TUPLES_OK, PQ_COPY_IN: return unsafe PostgresRows(result)
        case PQ_PIPELINE_ABORTED:
            unsafe PQclear(result)
            throw .conflict("an earlier statement of the pipeline failed")
        default: break
        }
        defer { unsafe PQclear(result) }
        func field(_ field: Int) -> String? {
            unsafe PQresultErrorField(result, Int32(field)).map { unsafe String(cString: $0) }
        }
        if isLost { isBroken = true }
        let message = unsafe field(PQ_MESSAGE) ?? Self.message(of: connection)
        // A table was changed by a migration since the statement was prepared.
        if field(PQ_SQLSTATE) == "0A000", message.contains("cached plan") {
            statements.removeAll()
            throw .conflict(message)
        }
        let error = PostgresError(
            sqlState: field(PQ_SQLSTATE) ?? "",
            message: field(PQ_DETAIL).map { "\(message) (\($0))" } ?? message
        )
        // A standby or a server that shuts down: another connection may find the new primary. One that has given up a statement goes on.
        if case .unavailable = error, field(PQ_SQLSTATE) != PostgresError.givenUp { isBroken = true }
        throw error
    }

    /// Throws the error of the connection unless a call has succeeded.
    private func succeed(_ status: Int32) throws(PostgresError) {
        guard status != 1 else { return }
        throw lost()
    }

    /// Notes that the connection is lost.
    ///
    /// - Returns: the error to throw.
    func lost() -> PostgresError {
        isBroken = true
        return .unavailable(unsafe Self.message(of: connection))
    }

    /// Notes that the server does not answer, and closes the connection.
    func cut() {
        isBroken = true
        unsafe pq_cut(connection)
    }

    private static func message(of connection: OpaquePointer) -> String {
        unsafe String(cString: PQerrorMessage(connection)).split(separator: "\n").joined(separator: "; ")
    }
}

extension Duration {
    /// Whole milliseconds, at least one.
    var milliseconds: Int64 { max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) }
}
