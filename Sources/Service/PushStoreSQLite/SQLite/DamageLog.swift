import PushService
import Synchronization

/// Skips unreadable rows and logs each of them once, so that one does not affect the others.
final class DamageLog: Sendable {
    /// The number of logged rows that are remembered.
    private static let capacity = 10_000

    private let reported = Mutex<Set<String>>([])
    private let report: @Sendable (String) -> Void

    init(_ report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

    /// Returns the result of `read`, or nil if the row is damaged.
    ///
    /// - `row`: the name of the row in the log, such as "schedule 12".
    func readable<Value>(_ row: @autoclosure () -> String, _ read: () throws -> Value) throws -> Value? {
        do { return try read() } catch let error as CorruptRow {
            note(row(), error)
            return nil
        }
    }

    func note(_ row: String, _ error: CorruptRow) {
        let isNew = reported.withLock { $0.count < Self.capacity && $0.insert(row).inserted }
        if isNew { report("\(row): \(error)") }
    }
}
