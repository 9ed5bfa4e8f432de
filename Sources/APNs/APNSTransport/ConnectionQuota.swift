import NIOCore
import Synchronization

/// How many connections may be open at a time, over all servers that share it.
package final class ConnectionQuota: Sendable {
    /// Why a connection was closed before its handshake.
    private struct IsUsedUp: Error {}

    package let limit: Int
    private let open = Atomic(0)

    package init(limit: Int) { self.limit = limit }

    /// The connections that are open now.
    package var count: Int { open.load(ordering: .relaxed) }

    /// Counts a connection until it is closed.
    ///
    /// - Throws: when there are as many as there may be. The connection is then to be closed; nothing was spent on it but a socket.
    func admit(_ channel: any Channel) throws {
        let (_, count) = open.add(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { _ in self.open.subtract(1, ordering: .relaxed) }
        guard count <= limit else { throw IsUsedUp() }
    }
}
