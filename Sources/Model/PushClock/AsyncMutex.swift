import Synchronization

/// A mutual exclusion whose holder may suspend. Callers get it in the order in which they ask for it.
///
/// A caller waits for its turn even when its task is cancelled. The body must not ask for the same mutex: it would wait forever.
package final class AsyncMutex: Sendable {
    private struct State {
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body` while no other caller's body runs.
    nonisolated(nonsending) package func withLock<Result, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await lock()
        defer { unlock() }
        return try await body()
    }

    nonisolated(nonsending) private func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isHeld { state.waiting.append(continuation) }
                defer { state.isHeld = true }
                return !state.isHeld
            }
            if isFree { continuation.resume() }
        }
    }

    /// Hands the mutex to the next caller, so that nobody can overtake it.
    private func unlock() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isHeld = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
