import Synchronization

/// The events of a client's link that wait for a task to take them. While there are many bytes, nothing more is read from the connection.
package final class LinkInbox: Sendable {
    private struct State {
        var connection: (any LinkConnection)?
        var waitingBytes = 0
        var isHeld = false
    }

    /// The bytes that wait before reading is held. It goes on when half of them have been taken.
    package static let budget = 256 << 10

    /// The events in order; the last one is `closed`.
    ///
    /// The budget is its bound, together with what one read brings.
    package let events: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private let state = Mutex(State())

    /// Creates an inbox without a link.
    package init() { (events, continuation) = AsyncStream.makeStream(of: LinkEvent.self) }

    /// Opens a link whose events come here.
    package func open(_ url: String, by dialer: any LinkDialer) -> any LinkConnection {
        let connection = dialer.open(url) { self.add($0) }
        let isHeld = state.withLock { state in
            state.connection = connection
            return state.isHeld
        }
        if isHeld { connection.holdReading() }
        return connection
    }

    private func add(_ event: LinkEvent) {
        switch event {
        case .opened: break
        case .closed: state.withLock { $0.connection = nil }
        case .received(let text):
            state.withLock { state in
                state.waitingBytes += Self.cost(text)
                guard state.waitingBytes > Self.budget, !state.isHeld else { return }
                state.isHeld = true
                // Under the lock, so that a concurrent `resumeReading` cannot come first.
                state.connection?.holdReading()
            }
        }
        continuation.yield(event)
        if case .closed = event { continuation.finish() }
    }

    /// Notes that a text has been taken from ``events``.
    package func took(_ text: String) {
        state.withLock { state in
            state.waitingBytes -= Self.cost(text)
            guard state.isHeld, state.waitingBytes <= Self.budget / 2 else { return }
            state.isHeld = false
            state.connection?.resumeReading()
        }
    }

    /// The cost of a frame with its overhead, in bytes.
    private static func cost(_ text: String) -> Int { text.utf8.count + 64 }
}
