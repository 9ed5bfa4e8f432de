package import Foundation
package import PushService
import Synchronization

/// A store whose cold half, everything that is asked a few times a second, is written once for both engines, in extensions.
package protocol SQLStore: PushStore {
    associatedtype Session: SQLSession

    /// The number of changes to apps by this process.
    var appChanges: ChangeCount { get }

    /// Reads what several statements find, at one moment.
    func query<Value: Sendable>(_ body: @escaping @Sendable (Session) throws -> Value) async throws -> Value

    /// Reads with a single statement.
    func queryOnce<Value: Sendable>(_ body: @escaping @Sendable (Session) throws -> Value) async throws -> Value

    /// Writes in one transaction. It may run again, so `body` must change only the database.
    func change<Value: Sendable>(_ body: @escaping @Sendable (Session) throws -> Value) async throws -> Value

    /// Writes in one transaction, as ``change(_:)`` does. If its commit is not answered, looks whether it was committed:
    /// `body` takes a lock that `find`, which looks for what it has written, takes as well.
    ///
    /// - Throws: ``StoreError``; ``StoreError/unknownOutcome(_:)`` only if nobody can say.
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> Value,
        unlessAnswered find: @escaping @Sendable (Session) throws -> Bool
    ) async throws -> Value

    /// Changes devices that exist, and returns those that `change` says are to be written.
    func changeDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        in session: Session,
        _ change: (inout RegisteredDevice) throws -> Bool
    ) throws -> [RegisteredDevice]

    /// Stores pushes outside a batch; those whose cid was used since `cidsSince` are left out.
    func store(_ pushes: [PreparedPush], cidsSince: Date, in session: Session) throws

    /// Empties the older half of the cids if none of them counts any more. SQLite deletes them one by one.
    func rotateCIDs(usedBefore date: Date) async throws

    /// Returns whether a statement has violated a unique constraint.
    static func isDuplicate(_ error: any Error) -> Bool

    /// Reports an unreadable row that was skipped, by its name in the log, such as "app 12".
    func reportDamage(_ row: String, _ error: CorruptRow)
}

extension SQLStore {
    var dialect: SQLDialect { Session.dialect }

    /// Executes one statement in a transaction, and returns the number of rows that it has inserted, changed or deleted.
    @discardableResult
    package func execute(_ statement: SQLStatement) async throws -> Int {
        try await change { try $0.execute(statement) }
    }

    /// Returns the rows of one query, converted by `read`.
    package func rows<Value: Sendable>(
        _ query: SQLStatement,
        read: @escaping @Sendable (any SQLRow) throws -> Value
    ) async throws -> [Value] { try await queryOnce { try $0.rows(query, read: read) } }

    /// Returns the row of one query that has at most one, converted by `read`; nil if there is none.
    package func first<Value: Sendable>(
        _ query: SQLStatement,
        read: @escaping @Sendable (any SQLRow) throws -> Value
    ) async throws -> Value? { try await queryOnce { try $0.first(query, read: read) } }

    /// Returns the records of a query, from its `FROM` on.
    func records<Record: SQLRecord>(_ source: SQLStatement) async throws -> [Record] {
        try await queryOnce { try $0.records(source) }
    }

    /// Returns the record of a query that has at most one, from its `FROM` on; nil if there is none.
    func record<Record: SQLRecord>(_ source: SQLStatement) async throws -> Record? {
        try await queryOnce { try $0.record(source) }
    }

    /// Returns the records of a query, without damaged ones, which are reported by the names of their rows.
    func readable<Record: SQLRecord>(
        _ source: SQLStatement,
        named name: @escaping @Sendable (any SQLRow) -> String
    ) async throws -> [Record] {
        try await rows("SELECT \(raw: Record.columns) \(source)") { row in
            try readable(row, named: name(row), Record.init)
        }.compactMap(\.self)
    }

    /// Returns the number that a query has as its only value; 0 without a row.
    package func number(_ query: SQLStatement) async throws -> Int64 { try await queryOnce { try $0.number(query) } }

    /// Returns the value of a row; nil if it is damaged, which is reported.
    func readable<Value>(_ row: any SQLRow, named name: String, _ read: (any SQLRow) throws -> Value) throws -> Value? {
        do { return try read(row) } catch let error as CorruptRow {
            reportDamage(name, error)
            return nil
        }
    }

    /// Reports a violated unique constraint as ``StoreError/duplicate(_:)``.
    func unique<Value>(_ message: String, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch  where Self.isDuplicate(error) { throw StoreError.duplicate(message) }
    }
}

/// The number of changes by this process.
package final class ChangeCount: Sendable {
    private let changes = Atomic(0)

    package init() {}

    package var value: Int { changes.load(ordering: .acquiring) }

    /// Notes that something was created, changed or deleted, and is on disk.
    package func add() { changes.add(1, ordering: .releasing) }
}
