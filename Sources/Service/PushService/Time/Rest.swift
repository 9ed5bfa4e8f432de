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
}
