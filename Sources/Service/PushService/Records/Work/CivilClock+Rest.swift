import Foundation
import Logging
import PushClock

extension CivilClock {
    /// Sleeps for a second after a store error, such as a full disk; `consequence` is the log message.
    ///
    /// Returns at once if the task was cancelled, or the error says so.
    func rest(after error: any Error, _ consequence: Logger.Message, _ logger: Logger) async {
        guard !(error is CancellationError) else { return }
        logger.error(consequence, metadata: ["error": "\(error)"])
        // Cancelled means shutdown: nothing to wait for.
        try? await sleep(for: .seconds(1))
    }

    /// Waits for a signal, at most until a date. Returns at once if the task was cancelled.
    func wait(for signal: any WorkSignal, until date: Date?) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.wait() }
            // Cancelled by the signal; waking early is harmless.
            if let date { group.addTask { try? await sleep(until: date) } }
            await group.next()
            group.cancelAll()
        }
    }
}
