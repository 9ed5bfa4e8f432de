package import Foundation
package import PushModel
import Synchronization

/// Hands out message ids in rising order.
///
/// Ids come from the store in blocks, so that most pushes need no write for theirs and none is given out twice.
package final class MessageIDSource: Sendable {
    private struct State {
        var next: Int64 = 0
        var end: Int64 = 0
        var isFetching = false
        /// Those who wait for the block that is being fetched.
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

    private let store: any PushStore
    private let floor: MessageID
    private let state = Mutex(State())
    private static let size: Int64 = 1000
    /// Sixteen digits, as those that client code has met, and exact as a number of JavaScript until the year 2183.
    private static let first: Int64 = 1 << 51

    /// - `start`: when the service starts. Its ids go on at that time, in microseconds, above all that were given before, also
    ///   where it was restored from an older backup: gateways and devices drop what has an id that they have seen. No service
    ///   accepts as many pushes in a second.
    package init(store: any PushStore, start: Date) {
        self.store = store
        floor = MessageID(Self.first + Int64(max(0, start.timeIntervalSince1970) * 1_000_000))
    }

    /// The first of that many ids in a row, at most 1000.
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

    /// The first of that many ids in a row, if there are so many without asking the store.
    func takeAtOnce(_ count: Int = 1) -> MessageID? { state.withLock { $0.take(Int64(count)) } }

    /// One at a time: of blocks that are fetched together all but one would be lost, and ids would run ahead of the clock.
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
        // The rest of the block before was too short; giving it up only leaves a gap.
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
