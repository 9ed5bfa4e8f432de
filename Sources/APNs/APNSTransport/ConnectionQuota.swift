import DequeModule
import NIOCore
import Synchronization

/// How many connections may be open at a time, over all servers that share it.
///
/// Anybody can open connections and say nothing. So strangers, who have shown no good credential, keep nobody out: where all places are
/// taken, the one who has been a stranger longest makes room.
package final class ConnectionQuota: Sendable {
    /// The place of one connection.
    struct Place: Sendable {
        fileprivate let quota: ConnectionQuota
        fileprivate let number: UInt64

        /// The other end has shown a good credential: it stays.
        func trust() {
            quota.state.withLock { state in
                // One that has just made room is closing.
                if state.removeStranger(number) { state.trusted.insert(number) }
            }
        }
    }

    /// Why a connection was closed before its handshake.
    private struct IsUsedUp: Error {}

    private struct Stranger {
        var number: UInt64
        var channel: any Channel
    }

    /// A connection is in one of the two, or has made room and is closing.
    private struct State {
        /// In the order in which they came.
        var strangers: Deque<Stranger> = []
        var trusted: Set<UInt64> = []
        var lastNumber: UInt64 = 0

        var count: Int { strangers.count + trusted.count }

        /// - Returns: whether there is one of that number.
        mutating func removeStranger(_ number: UInt64) -> Bool {
            guard let index = strangers.firstIndex(where: { $0.number == number }) else { return false }
            strangers.remove(at: index)
            return true
        }

        mutating func remove(_ number: UInt64) {
            if !removeStranger(number) { trusted.remove(number) }
        }
    }

    package let limit: Int
    private let state = Mutex(State())

    package init(limit: Int) { self.limit = limit }

    /// The places that are taken now.
    package var count: Int { state.withLock(\.count) }

    /// Counts a connection until it is closed.
    ///
    /// - Throws: when there are as many as there may be, and all have shown credentials. The connection is then to be closed; nothing
    ///   was spent on it but a socket.
    func admit(_ channel: any Channel) throws -> Place {
        let (number, leaving) = try state.withLock { state in
            var leaving: (any Channel)?
            if state.count >= limit {
                guard let oldest = state.strangers.popFirst() else { throw IsUsedUp() }
                leaving = oldest.channel
            }
            state.lastNumber += 1
            state.strangers.append(Stranger(number: state.lastNumber, channel: channel))
            return (state.lastNumber, leaving)
        }
        leaving?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.remove(number) } }
        return Place(quota: self, number: number)
    }
}
