import NIOCore
import Synchronization

/// Lets a bounded number of callers in; the others wait in line.
final class Turnstile: Sendable {
    private struct State {
        var inside = 0
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
        var isClosing = false
        var emptied: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// - Returns: false once ``close()`` was called.
    func enter() async -> Bool {
        let isOpen = state.withLock { state -> Bool? in
            if state.isClosing { return false }
            guard state.inside < limit, state.waiting.isEmpty else { return nil }
            state.inside += 1
            return true
        }
        if let isOpen { return isOpen }
        await withCheckedContinuation { continuation in
            let isIn = state.withLock { state in
                if state.inside < limit, state.waiting.isEmpty {
                    state.inside += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isIn { continuation.resume() }
        }
        return true
    }

    func leave() {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            // The place goes on to the next in line.
            if let next = state.waiting.popFirst() { return [next] }
            state.inside -= 1
            guard state.inside == 0 else { return [] }
            defer { state.emptied = [] }
            return state.emptied
        }
        for continuation in woken { continuation.resume() }
    }

    /// Lets nobody in any more and waits until all who came have left.
    func close() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                state.isClosing = true
                if state.inside == 0 { return true }
                state.emptied.append(continuation)
                return false
            }
            if isEmpty { continuation.resume() }
        }
    }
}
