import Synchronization

/// Numbers that are taken one after the other from a block, which comes from the store.
///
/// One call at a time fetches a block, and the others wait for it: otherwise all blocks but one would be lost.
package final class NumberBlock: Sendable {
    private struct State {
        var numbers: Range<Int64> = 0..<0
        var isFetching = false
        /// The callers that wait for the block that is being fetched.
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func take(_ count: Int64) -> Int64? {
            let first = numbers.lowerBound
            guard numbers.upperBound - first >= count else { return nil }
            numbers = first + count..<numbers.upperBound
            return first
        }
    }

    private enum Turn {
        case taken(Int64)
        case fetch
        case wait
    }

    private let state = Mutex(State())

    package init() {}

    /// Takes consecutive numbers and returns the first; nil if the block has too few.
    package func takeAtOnce(_ count: Int64) -> Int64? { state.withLock { $0.take(count) } }

    /// Takes consecutive numbers and returns the first. If the block has too few, `fetch` gets the next one, and the rest stays unused.
    package func take(_ count: Int64, fetch: () async throws -> Range<Int64>) async throws -> Int64 {
        while true {
            let turn = state.withLock { state -> Turn in
                if let first = state.take(count) { return .taken(first) }
                if state.isFetching { return .wait }
                state.isFetching = true
                return .fetch
            }
            switch turn {
            case .taken(let first): return first
            case .fetch: try await replace(by: fetch)
            case .wait: await fetched()
            }
        }
    }

    private func replace(by fetch: () async throws -> Range<Int64>) async throws {
        defer {
            let waiting = state.withLock { state in
                state.isFetching = false
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiter in waiting { waiter.resume() }
        }
        let numbers = try await fetch()
        state.withLock { $0.numbers = numbers }
    }

    /// Returns when the block that another call fetches is there, or could not be fetched.
    private func fetched() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isFetching { state.waiting.append(continuation) }
                return !state.isFetching
            }
            if isOver { continuation.resume() }
        }
    }
}
