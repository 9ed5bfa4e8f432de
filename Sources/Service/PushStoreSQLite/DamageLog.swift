import Synchronization

/// Passes over rows that cannot be read, and tells of each once: one of them must not cost all others.
final class DamageLog: Sendable {
    /// Rows of which it is remembered that they were told.
    private static let capacity = 10_000

    private let told = Mutex<Set<String>>([])
    private let tell: @Sendable (String) -> Void

    init(_ tell: @escaping @Sendable (String) -> Void = { _ in }) { self.tell = tell }

    /// Returns what `read` reads, or nil if the row is damaged.
    ///
    /// - `row`: names it for a person, such as "schedule 12".
    func readable<Value>(_ row: @autoclosure () -> String, _ read: () throws -> Value) throws -> Value? {
        do { return try read() } catch let error as CorruptRow {
            note(row(), error)
            return nil
        }
    }

    func note(_ row: String, _ error: CorruptRow) {
        let isNew = told.withLock { $0.count < Self.capacity && $0.insert(row).inserted }
        if isNew { tell("\(row): \(error)") }
    }
}
