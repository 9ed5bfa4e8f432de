import Synchronization

/// A value that is set once and that others can wait for.
package final class Announcement<Value: Sendable>: Sendable {
    private enum State {
        /// Not set yet; with the waiting tasks by number.
        case open([Int: CheckedContinuation<Value, any Error>], next: Int)
        case closed(Result<Value, any Error>)
    }

    private let state = Mutex(State.open([:], next: 0))

    package init() {}

    /// Sets the value; only the first call counts.
    package func make(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [Int: CheckedContinuation<Value, any Error>] in
            guard case .open(let waiting, _) = state else { return [:] }
            state = .closed(result)
            return waiting
        }
        for continuation in waiting.values { continuation.resume(with: result) }
    }

    /// Whether the value is set.
    package var isMade: Bool { state.withLock { if case .closed = $0 { true } else { false } } }

    /// The value, as soon as it is set.
    ///
    /// - Throws: the error that was set instead; `CancellationError` when the task is cancelled first.
    package var value: Value {
        get async throws {
            let number = state.withLock { state -> Int in
                guard case .open(let waiting, let next) = state else { return 0 }
                state = .open(waiting, next: next + 1)
                return next
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait($0, as: number) }
            } onCancel: {
                stopWaiting(number)
            }
        }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>, as number: Int) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            switch state {
            case .open(var waiting, let next):
                // A task cancelled before it waits would never be woken. The handler finds one cancelled later.
                guard !Task.isCancelled else { return .failure(CancellationError()) }
                waiting[number] = continuation
                state = .open(waiting, next: next)
                return nil
            case .closed(let result): return result
            }
        }
        if let result { continuation.resume(with: result) }
    }

    private func stopWaiting(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard case .open(var waiting, let next) = state else { return nil }
            let continuation = waiting.removeValue(forKey: number)
            state = .open(waiting, next: next)
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
