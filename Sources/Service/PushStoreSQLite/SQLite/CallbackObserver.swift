import GRDB
import PushService
import Synchronization

/// Raises a signal after each commit that has added events for callback addresses.
final class CallbackObserver: TransactionObserver, Sendable {
    /// The table of events. Statements that run beside GRDB tell of changes in it.
    static let events = Table("callbackEvent")

    let signal = LocalWorkSignal()
    private let hasNew = Mutex(false)

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        if case .insert("callbackEvent") = kind { true } else { false }
    }

    func databaseDidChange() { hasNew.withLock { $0 = true } }

    func databaseDidChange(with event: DatabaseEvent) { databaseDidChange() }

    func databaseDidCommit(_ database: Database) {
        let isRaised = hasNew.withLock { hasNew in
            defer { hasNew = false }
            return hasNew
        }
        if isRaised { signal.raise() }
    }

    func databaseDidRollback(_ database: Database) { hasNew.withLock { $0 = false } }
}
