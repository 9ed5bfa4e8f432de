import DeviceLink
import Synchronization

/// Passes events on until the first `closed`: a link that fails while opening may report it in two places.
final class ClosedOnce: Sendable {
    private let handler: @Sendable (LinkEvent) -> Void
    private let isClosed = Mutex(false)

    init(_ handler: @escaping @Sendable (LinkEvent) -> Void) { self.handler = handler }

    func report(_ event: LinkEvent) {
        let isLate = isClosed.withLock { isClosed in
            defer { if case .closed = event { isClosed = true } }
            return isClosed
        }
        if !isLate { handler(event) }
    }
}
