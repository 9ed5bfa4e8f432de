/// A value of a column, as stored.
package enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}

/// The use of a cid by a push.
package struct UsedCID: Hashable, Sendable {
    package var app: Int64
    package var cid: String
    package var message: Int64
    package var sendno: Int64
    /// Milliseconds since 1970.
    package var usedAt: Int64

    package init(app: Int64, cid: String, message: Int64, sendno: Int64, usedAt: Int64) {
        self.app = app
        self.cid = cid
        self.message = message
        self.sendno = sendno
        self.usedAt = usedAt
    }
}

/// The rows of a store that no service uses, for a copy to another store.
package protocol RowSource: Sendable {
    /// The tables to copy; those that others refer to come first.
    var tables: [String] { get }
    /// The columns of a table.
    func columns(of table: String) throws -> [String]
    /// The number of rows that ``rows(of:columns:skipping:_:)`` reads without skipping any.
    func count(of table: String) throws -> Int
    /// Reads columns of a table, in an order that is the same each time, without a number of rows at the beginning.
    func rows(of table: String, columns: [String], skipping skipped: Int, _ body: ([StoredValue]) throws -> Void) throws
    /// Reads the cids used since a date, in milliseconds since 1970, and those of schedules.
    func cids(since date: Int64, _ body: (UsedCID) throws -> Void) throws
    /// The first message id that was never assigned.
    func nextMessage() throws -> Int64
    /// The last position of a custom message; 0 if there was none.
    func lastCustomMessage() throws -> Int64
}
