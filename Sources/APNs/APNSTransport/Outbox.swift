import Synchronization

/// A queue of requests from many callers to one event loop, which is woken once for all that have accumulated.
final class Outbox: Sendable {
    private struct State {
        var batch = HTTP2RequestBatch()
        var isAnnounced = false
    }

    private let state = Mutex(State())

    /// - Returns: whether the event loop has to be woken.
    func add(_ write: (inout HTTP2RequestBatch) -> Void) -> Bool {
        state.withLock { state in
            write(&state.batch)
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
    }

    /// Takes the accumulated requests.
    func take() -> HTTP2RequestBatch {
        state.withLock { state in
            let ready = state.batch
            state.isAnnounced = false
            state.batch = HTTP2RequestBatch()
            state.batch.reserve(as: ready)
            return ready
        }
    }
}

extension HTTP2RequestBatch {
    /// Reserves as much room as another batch needed, within reason.
    fileprivate mutating func reserve(as other: HTTP2RequestBatch) {
        requests.reserveCapacity(min(other.requests.count, 1024))
        fields.reserveCapacity(min(other.fields.count, 2048))
        bytes.reserveCapacity(min(other.bytes.count, 1 << 19))
    }
}
