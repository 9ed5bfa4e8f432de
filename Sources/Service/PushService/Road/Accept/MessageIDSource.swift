package import Foundation
package import PushModel
import Synchronization

/// Hands out message ids in ascending order.
///
/// Ids come from the store in blocks, so that most pushes need no write for their id and no id is given out twice.
package final class MessageIDSource: Sendable {
    private struct State {
        var next: Int64 = 0
        var end: Int64 = 0
        var isFetching = false
        /// The callers that wait for the block that is being fetched.
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func take(_ count: Int64) -> MessageID? {
            guard end - next >= count else { return nil }
            defer { next += count }
            return MessageID(next)
        }
    }

    private enum Turn {
        case taken(MessageID)
        case fetch
        case wait
    }

    private let store: any AcceptStore
    private let floor: MessageID
    private let state = Mutex(State())
    /// The size of a block. Pushes that find none wait for the store, so it has to be rare.
    private static let size: Int64 = 10_000
    /// Sixteen digits, like the ids that client code has seen, and exact as a JavaScript number until the year 2183.
    private static let first: Int64 = 1 << 51

    /// Creates a source whose ids continue from the service's start time in microseconds.
    ///
    /// They are greater than all earlier ids, even after a restore from an older backup: gateways and devices drop pushes with an
    /// id that they have seen. No service accepts a million pushes in a second.
    package init(store: any AcceptStore, start: Date) {
        self.store = store
        floor = MessageID(Self.first + Int64(max(0, start.timeIntervalSince1970) * 1_000_000))
    }

    /// Takes `count` consecutive ids, at most 1000, and returns the first.
    package func take(_ count: Int = 1) async throws -> MessageID {
        while true {
            let turn = state.withLock { state -> Turn in
                if let id = state.take(Int64(count)) { return .taken(id) }
                if state.isFetching { return .wait }
                state.isFetching = true
                return .fetch
            }
            switch turn {
            case .taken(let id): return id
            case .fetch: try await fetch()
            case .wait: await fetched()
            }
        }
    }

    /// Takes `count` consecutive ids and returns the first; nil if that requires a call to the store.
    func takeAtOnce(_ count: Int = 1) -> MessageID? { state.withLock { $0.take(Int64(count)) } }

    /// Fetches a block. One fetch runs at a time: with several, all blocks but one would be lost, and ids would run ahead of the
    /// clock.
    private func fetch() async throws {
        defer {
            let waiting = state.withLock { state in
                state.isFetching = false
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiter in waiting { waiter.resume() }
        }
        let block = try await store.reserveMessageIDs(Self.size, notBefore: floor)
        // The rest of the previous block was too short; dropping it only leaves a gap.
        state.withLock { ($0.next, $0.end) = (block.number, block.number + Self.size) }
    }

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
