internal import CPostgres

/// A connection to the server. It is used by one thread at a time, inside the bodies of ``PostgresPool``.
@safe package final class PostgresConnection {
    /// A statement with its parameters.
    package typealias Statement = (sql: String, values: [PostgresValue])

    let connection: OpaquePointer
    /// The names of the statements that the server has prepared for this connection.
    private var names: [Key: String] = [:]
    /// Names are used once: whether a statement that failed with others was prepared is not known.
    private var nextName = 0
    /// Whether the connection was lost, or is in a state that nobody expects.
    private(set) var isBroken = false

    private struct Key: Hashable {
        var sql: String
        var types: [UInt32]
    }

    /// Connects and waits until the server is ready.
    ///
    /// - Parameter info: a connection string or URL as libpq takes it.
    /// - Throws: ``PostgresError/unavailable(_:)`` if libpq is missing or the server does not accept the connection.
    init(_ info: String) throws(PostgresError) {
        if let problem = unsafe pq_load() {
            let reason = unsafe String(cString: problem)
            throw .unavailable("\(reason). A store on PostgreSQL needs libpq: install the package libpq5")
        }
        guard let connection = unsafe PQconnectdb(info) else { throw .unavailable("out of memory") }
        guard unsafe PQstatus(connection) == Int32(PQ_CONNECTION_OK) else {
            defer { unsafe PQfinish(connection) }
            throw .unavailable(unsafe Self.message(of: connection))
        }
        unsafe pq_silence(connection)
        unsafe self.connection = connection
    }

    deinit { unsafe PQfinish(connection) }

    /// The server's version as a number: 150018 is 15.18.
    package var serverVersion: Int { unsafe Int(PQserverVersion(connection)) }

    /// Executes a statement, which is prepared at its first use with parameters of these types.
    ///
    /// - Parameters:
    ///   - sql: one statement, with the parameters `$1`, `$2` and so on.
    ///   - values: the parameters.
    /// - Returns: the rows of the result.
    /// - Throws: ``PostgresError``
    @discardableResult
    package func execute(_ sql: String, _ values: PostgresValue...) throws(PostgresError) -> PostgresRows {
        try execute(sql, values)
    }

    @discardableResult
    package func execute(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> PostgresRows {
        let key = Key(sql: sql, types: values.map(\.type))
        let name: String
        if let known = names[key] {
            name = known
        } else {
            name = newName()
            _ = try unsafe rows(PQprepare(connection, name, sql, Int32(values.count), key.types))
            names[key] = name
        }
        return try unsafe rows(
            Self.withParameters(values) { parameters in
                unsafe PQexecPrepared(
                    connection,
                    name,
                    Int32(values.count),
                    parameters.values,
                    parameters.lengths,
                    parameters.formats,
                    1
                )
            }
        )
    }

    private func newName() -> String {
        nextName += 1
        return "s\(nextName)"
    }

    /// Whether a statement of the transaction has failed: PostgreSQL answers its commit with a rollback.
    var hasFailed: Bool { unsafe Int(PQtransactionStatus(connection)) == PQ_TRANSACTION_FAILED }

    /// Executes statements without parameters, separated by semicolons.
    package func executeScript(_ sql: String) throws(PostgresError) {
        _ = try unsafe rows(PQexec(connection, sql))
    }

    /// Sends several statements at once and then reads their results: one round trip for all.
    ///
    /// Outside a transaction they are one transaction. After a failure the later ones are not executed.
    ///
    /// - Parameter statements: the statements, in order.
    /// - Returns: the rows of each.
    /// - Throws: the error of the first that failed.
    package func pipeline(_ statements: [Statement]) throws(PostgresError) -> [PostgresRows] {
        guard !statements.isEmpty else { return [] }
        try succeed(unsafe PQenterPipelineMode(connection))
        var prepared: [Key: String] = [:]
        var isRow: [Bool] = []
        for statement in statements {
            let key = Key(sql: statement.sql, types: statement.values.map(\.type))
            let count = Int32(statement.values.count)
            let name = names[key] ?? prepared[key] ?? newName()
            if names[key] == nil, prepared[key] == nil {
                try succeed(unsafe PQsendPrepare(connection, name, statement.sql, count, key.types))
                prepared[key] = name
                isRow.append(false)
            }
            let isSent = unsafe Self.withParameters(statement.values) { parameters in
                unsafe PQsendQueryPrepared(
                    connection,
                    name,
                    count,
                    parameters.values,
                    parameters.lengths,
                    parameters.formats,
                    1
                )
            }
            try succeed(isSent)
            isRow.append(true)
        }
        try succeed(unsafe PQpipelineSync(connection))
        return try readPipeline(isRow, preparing: prepared)
    }

    private func readPipeline(
        _ isRow: [Bool],
        preparing prepared: [Key: String]
    ) throws(PostgresError) -> [PostgresRows] {
        var (found, failure): ([PostgresRows], PostgresError?) = ([], nil)
        for isRow in isRow {
            do throws(PostgresError) {
                let next = try unsafe rows(PQgetResult(connection))
                if isRow { found.append(next) }
            } catch {
                failure = failure ?? error
                if isBroken { throw failure ?? error }
            }
            // NULL ends the results of each statement.
            while let more = unsafe PQgetResult(connection) { unsafe PQclear(more) }
        }
        let end = unsafe PQgetResult(connection)
        let isEnd = unsafe Int(PQresultStatus(end)) == PQ_PIPELINE_SYNC
        unsafe PQclear(end)
        guard isEnd, unsafe PQexitPipelineMode(connection) == 1 else {
            isBroken = true
            throw failure ?? .unavailable(unsafe Self.message(of: connection))
        }
        if let failure { throw failure }
        names.merge(prepared) { known, _ in known }
        return found
    }

    /// Inserts rows with `COPY … FROM STDIN` in the binary format, the fastest way to insert many.
    ///
    /// - Parameters:
    ///   - table: the table with its columns in parentheses: `device (app, ordinal)`.
    ///   - rows: the values of each row, whose types must be exactly those of the columns.
    /// - Returns: the number of rows.
    /// - Throws: ``PostgresError``
    @discardableResult
    package func copy(into table: String, _ rows: some Sequence<[PostgresValue]>) throws(PostgresError) -> Int {
        _ = try unsafe self.rows(PQexec(connection, "COPY \(table) FROM STDIN (FORMAT binary)"))
        // The signature, no flags, no extension.
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 13, 10, 0] + [UInt8](repeating: 0, count: 8)
        for row in rows {
            bytes += PostgresValue.bigEndian(Int16(row.count))
            for value in row { PostgresValue.appendField(value.binary, to: &bytes) }
            if bytes.count > 1 << 18 {
                try put(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        bytes += PostgresValue.bigEndian(Int16(-1))
        try put(bytes)
        try succeed(unsafe PQputCopyEnd(connection, nil))
        let copied = try unsafe self.rows(PQgetResult(connection)).affected
        while let more = unsafe PQgetResult(connection) { unsafe PQclear(more) }
        return copied
    }

    private func put(_ bytes: [UInt8]) throws(PostgresError) {
        let isTaken = unsafe bytes.withUnsafeBytes { bytes in
            unsafe PQputCopyData(
                connection,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count)
            )
        }
        try succeed(isTaken)
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
        if unsafe PQstatus(connection) != Int32(PQ_CONNECTION_OK) { isBroken = true }
        let message = unsafe field(PQ_MESSAGE) ?? Self.message(of: connection)
        // A table was changed by a migration since the statement was prepared.
        if field(PQ_SQLSTATE) == "0A000", message.contains("cached plan") {
            names.removeAll()
            throw .conflict(message)
        }
        let error = PostgresError(
            sqlState: field(PQ_SQLSTATE) ?? "",
            message: field(PQ_DETAIL).map { "\(message) (\($0))" } ?? message,
            constraint: field(PQ_CONSTRAINT)
        )
        // A standby or a server that shuts down: another connection may find the new primary.
        if case .unavailable = error { isBroken = true }
        throw error
    }

    /// Throws the error of the connection unless a call has succeeded.
    private func succeed(_ status: Int32) throws(PostgresError) {
        guard status != 1 else { return }
        isBroken = true
        throw .unavailable(unsafe Self.message(of: connection))
    }

    private static func message(of connection: OpaquePointer) -> String {
        unsafe String(cString: PQerrorMessage(connection)).split(separator: "\n").joined(separator: "; ")
    }
}
