import Synchronization

/// A value that somebody makes once and others wait for.
package final class Announcement<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, any Error>])
        case closed(Result<Value, any Error>)
    }

    private let state = Mutex(State.open([]))

    package init() {}

    /// Only the first call counts.
    package func make(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard case .open(let waiting) = state else { return [] }
            state = .closed(result)
            return waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    package var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .open(var waiting):
                        waiting.append(continuation)
                        state = .open(waiting)
                        return nil
                    case .closed(let result): return result
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
