import Logging
import PushClock

extension CivilClock {
    /// Rests for a second after a store has failed, a full disk for example; `consequence` says in the log what waits.
    ///
    /// Returns at once in a task that was cancelled, or that the error says was.
    func rest(after error: any Error, _ consequence: Logger.Message, _ logger: Logger) async {
        guard !(error is CancellationError) else { return }
        logger.error(consequence, metadata: ["error": "\(error)"])
        // Cancelled means shutdown: nothing to wait for.
        try? await sleep(for: .seconds(1))
    }
}
