import Synchronization

/// Wakes workers of this process.
package final class LocalWorkSignal: WorkSignal {
    private struct State {
        var isRaised = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Waits that were cancelled before they began.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Signals within a process are never lost.
    package var lookInterval: Duration? { nil }

    package func raise() {
        let woken = state.withLock { state in
            state.isRaised = state.waiting.isEmpty
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in woken { continuation.resume() }
    }

    package func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isRaised || state.cancelled.remove(id) != nil {
                        state.isRaised = false
                        return true
                    }
                    state.waiting[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: id)
                if continuation == nil { state.cancelled.insert(id) }
                return continuation
            }
            continuation?.resume()
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }
}
