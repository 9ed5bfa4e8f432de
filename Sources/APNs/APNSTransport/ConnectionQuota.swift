import DequeModule
import NIOCore
import Synchronization

/// The limit of open connections, over all servers that share it.
///
/// Anybody can open connections and send nothing. So unauthenticated connections keep nobody out: if the limit is reached,
/// the oldest of them is closed to make room.
package final class ConnectionQuota: Sendable {
    /// The place of one connection.
    struct Place: Sendable {
        fileprivate let quota: ConnectionQuota
        fileprivate let number: UInt64

        /// Marks the connection as authenticated: it stays.
        func trust() {
            quota.state.withLock { state in
                // A connection that has just made room is closing.
                if state.removeUnauthenticated(number) { state.trusted.insert(number) }
            }
        }
    }

    /// The reason why a connection was closed before its handshake.
    private struct IsUsedUp: Error {}

    private struct Unauthenticated {
        var number: UInt64
        var channel: any Channel
    }

    /// A connection is in one of the two collections, or has made room and is closing.
    private struct State {
        /// Unauthenticated connections in the order of arrival.
        var unauthenticated: Deque<Unauthenticated> = []
        var trusted: Set<UInt64> = []
        var lastNumber: UInt64 = 0

        var count: Int { unauthenticated.count + trusted.count }

        /// - Returns: whether there was one with that number.
        mutating func removeUnauthenticated(_ number: UInt64) -> Bool {
            guard let index = unauthenticated.firstIndex(where: { $0.number == number }) else { return false }
            unauthenticated.remove(at: index)
            return true
        }

        mutating func remove(_ number: UInt64) {
            if !removeUnauthenticated(number) { trusted.remove(number) }
        }
    }

    package let limit: Int
    private let state = Mutex(State())

    package init(limit: Int) { self.limit = limit }

    /// The number of open connections.
    package var count: Int { state.withLock(\.count) }

    /// Counts a connection until it is closed.
    ///
    /// - Throws: if the limit is reached and all connections are authenticated. The new connection then has to be closed; it has
    ///   cost nothing but a socket.
    func admit(_ channel: any Channel) throws -> Place {
        let (number, leaving) = try state.withLock { state in
            var leaving: (any Channel)?
            if state.count >= limit {
                guard let oldest = state.unauthenticated.popFirst() else { throw IsUsedUp() }
                leaving = oldest.channel
            }
            state.lastNumber += 1
            state.unauthenticated.append(Unauthenticated(number: state.lastNumber, channel: channel))
            return (state.lastNumber, leaving)
        }
        leaving?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.remove(number) } }
        return Place(quota: self, number: number)
    }
}
