package import PushModel
package import PushService

/// A connection to the database within a transaction.
package protocol SQLSession {
    static var dialect: SQLDialect { get }

    /// Executes a statement.
    ///
    /// - Returns: the number of rows that it has inserted, changed or deleted.
    @discardableResult
    func execute(_ statement: SQLStatement) throws -> Int

    /// Passes the rows of a query to `body`.
    func forEach(_ query: SQLStatement, body: (any SQLRow) throws -> Void) throws

    /// Executes a statement whose result nobody needs, at the latest with the commit. Several cost one round trip.
    func queue(_ statement: SQLStatement) throws

    /// Locks the rows of a query until the commit. SQLite, which has one writer, needs no locks.
    func lockRows(_ query: SQLStatement, lock: SQLRowLock) throws

    /// Takes a lock until the commit.
    func lock(_ lock: SQLLock) throws

    /// Tells other nodes of changes, as part of the transaction. SQLite has one node.
    func announce(_ changes: [SQLAnnouncement]) throws

    /// Notes that events for callbacks were written, so that their runner looks for them after the commit.
    func noteCallbackEvents() throws

    /// Moves the only chunks of messages from the messages' rows to rows of their own.
    func unfold(_ messages: [Int64]) throws

    /// Deletes the cids of a batch's pushes, which end with the batch. In SQLite they are in its row.
    func forgetCIDs(ofBatch id: MessageID) throws

    /// Writes events of single devices, each once.
    func insert(_ events: [JourneyEntry]) throws

    /// Finds the initial chunks of a message's row that have some of the devices, in ascending order, without reading all of them.
    func chunks(with ordinals: [DeviceOrdinal], of kinds: [Chunk.Kind], in message: Int64) throws -> [FoundChunk]
}

/// A chunk with some of the devices that were looked for.
package struct FoundChunk {
    package var kind: Chunk.Kind
    package var number: Int
    package var settled: PlaceSet
    package var places: [(ordinal: DeviceOrdinal, place: Int)]

    /// Nil if none of the devices that were looked for is among those of the chunk.
    package init?(
        _ kind: Chunk.Kind,
        number: Int,
        settled: PlaceSet,
        of all: OrdinalList,
        having ordinals: some Sequence<DeviceOrdinal>
    ) {
        self.kind = kind
        self.number = number
        self.settled = settled
        places = ordinals.compactMap { ordinal in all.place(of: ordinal).map { (ordinal: ordinal, place: $0) } }
        if places.isEmpty { return nil }
    }
}

/// A change that other nodes are told of.
package enum SQLAnnouncement: Sendable {
    case apps
    case credentials(App.ID)
    case withdrawn(MessageID)
    /// Tags that stay known without a device.
    case tagsKept([String], of: App.ID)
    /// A tag that is known only as long as a device has it.
    case tagForgotten(String, of: App.ID)
}

/// A lock that transactions of several nodes take one after the other.
package enum SQLLock: Sendable {
    /// A subject, in a space that distinguishes it from subjects of other kinds.
    case text(_ name: String, space: Int64)
    case number(Int64)
    case table(String)
}

extension SQLSession {
    package var dialect: SQLDialect { Self.dialect }

    package func lockRows(_ query: SQLStatement) throws { try lockRows(query, lock: .update) }

    /// Returns the rows of a query, converted by `read`.
    package func rows<Value>(_ query: SQLStatement, read: (any SQLRow) throws -> Value) throws -> [Value] {
        var found: [Value] = []
        try forEach(query) { found.append(try read($0)) }
        return found
    }

    /// Returns the row of a query that has at most one, converted by `read`; nil if there is none.
    package func first<Value>(_ query: SQLStatement, read: (any SQLRow) throws -> Value) throws -> Value? {
        var found: Value?
        try forEach(query) { if found == nil { found = try read($0) } }
        return found
    }

    /// Returns the records of a query, from its `FROM` on.
    package func records<Record: SQLRecord>(_ source: SQLStatement) throws -> [Record] {
        try rows("SELECT \(raw: Record.columns) \(source)", read: Record.init)
    }

    /// Returns the record of a query that has at most one, from its `FROM` on; nil if there is none.
    func record<Record: SQLRecord>(_ source: SQLStatement) throws -> Record? {
        try first("SELECT \(raw: Record.columns) \(source)", read: Record.init)
    }

    /// Returns the number that a query has as its only value; 0 without a row.
    package func number(_ query: SQLStatement) throws -> Int64 { try first(query) { $0.optionalInt64(0) ?? 0 } ?? 0 }

    /// Returns the number in the only column of the first row; nil if there is none.
    package func firstNumber(_ query: SQLStatement) throws -> Int64? { try first(query) { $0.int64(0) } }

    /// Returns the numbers in the only column of all rows.
    package func numbers(_ query: SQLStatement) throws -> [Int64] { try rows(query) { $0.int64(0) } }
}
