import GRDB
import PushService
import Synchronization

/// Raises a signal after each commit that has added events for callback addresses.
final class CallbackObserver: TransactionObserver, Sendable {
    let signal = LocalWorkSignal()
    private let hasNew = Mutex(false)

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        if case .insert("callbackEvent") = kind { true } else { false }
    }

    func databaseDidChange(with event: DatabaseEvent) { hasNew.withLock { $0 = true } }

    func databaseDidCommit(_ database: Database) {
        let isRaised = hasNew.withLock { hasNew in
            defer { hasNew = false }
            return hasNew
        }
        if isRaised { signal.raise() }
    }

    func databaseDidRollback(_ database: Database) { hasNew.withLock { $0 = false } }
}
