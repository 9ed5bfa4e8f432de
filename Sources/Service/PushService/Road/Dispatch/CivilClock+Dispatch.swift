import Logging
import PushClock

extension CivilClock {
    /// Repeats work of the dispatcher on the store until it succeeds; nil if the task was cancelled.
    func retrying<Value: Sendable>(_ logger: Logger, _ work: () async throws -> Value) async -> Value? {
        while !Task.isCancelled {
            do { return try await work() } catch { await restDispatch(after: error, logger) }
        }
        return nil
    }

    /// Sleeps for a second after an error of the store.
    func restDispatch(after error: any Error, _ logger: Logger) async {
        await rest(after: error, "Dispatch failed; retrying in a second", logger)
    }
}
