import Foundation
import GRDB
import Synchronization
import TestSupport

@testable import PushStoreSQLite

/// A record of the SQL statements that a store runs.
///
/// Covers the writer and the first reader, which serves reads that come one after the other.
final class StatementTrace: Sendable {
    private let seen = Mutex<[String]>([])

    /// With the values that were bound.
    var statements: [String] { seen.withLock(\.self) }

    init(of store: SQLiteStore) throws {
        store.database.writeWithoutTransaction(listen)
        try store.database.read(listen)
    }

    private func listen(to database: Database) {
        database.trace { [self] event in
            if case .statement(let statement) = event { seen.withLock { $0.append(statement.expandedSQL) } }
        }
    }

    func clear() { seen.withLock { $0 = [] } }

    /// The number of statements that contain a text.
    func count(_ text: String) -> Int { statements.count { $0.contains(text) } }
}
