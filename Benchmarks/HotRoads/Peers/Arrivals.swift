import CHotRoads
import Synchronization

/// Lets what the peers have sent arrive, all of it, before the event loop looks.
func settle() throws {
    guard loopback_settle() else { throw UnexpectedAnswer("There is no connection over the loopback.") }
}

/// Counts what arrives at a peer, and wakes the road when all of it has arrived.
final class Arrivals: Sendable {
    private struct State {
        var count = 0
        var target = 0
        var waiter: CheckedContinuation<Void, any Error>?
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    func add(_ count: Int = 1) {
        state.withLock { state -> CheckedContinuation<Void, any Error>? in
            state.count += count
            return state.count >= state.target ? state.waiter.take() : nil
        }?.resume()
    }

    /// Ends the road.
    func fail(_ error: any Error) {
        state.withLock { state in
            state.failure = error
            return state.waiter.take()
        }?.resume(throwing: error)
    }

    /// Returns when `count` more have arrived after those that were waited for before.
    func wait(for count: Int = 1) async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            let result = state.withLock { state -> Result<Void, any Error>? in
                state.target += count
                if let failure = state.failure { return .failure(failure) }
                if state.count >= state.target { return .success(()) }
                state.waiter = waiter
                return nil
            }
            if let result { waiter.resume(with: result) }
        }
    }
}
