import Synchronization

/// Requests on their way from many callers to one event loop, which is woken once for all that have gathered.
final class Outbox: Sendable {
    private struct State {
        var batch = HTTP2RequestBatch()
        var isAnnounced = false
    }

    private let state = Mutex(State())

    /// - Returns: whether the event loop has to be told that there is something.
    func add(_ write: (inout HTTP2RequestBatch) -> Void) -> Bool {
        state.withLock { state in
            write(&state.batch)
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
    }

    /// What has gathered.
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
    /// Room for as much as another batch has come to, within reason.
    fileprivate mutating func reserve(as other: HTTP2RequestBatch) {
        requests.reserveCapacity(min(other.requests.count, 1024))
        fields.reserveCapacity(min(other.fields.count, 2048))
        bytes.reserveCapacity(min(other.bytes.count, 1 << 19))
    }
}
