package import DeviceLink
import NIOCore
import NIOPosix
import Synchronization

/// The followers of the event log.
extension Gateway {
    /// The acceptor of follower links (``GatewayEventsFollower``).
    package var events: any LinkAcceptor { EventsAcceptor(gateway: self) }

    private struct EventsAcceptor: LinkAcceptor {
        let gateway: Gateway

        func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
            let follower = gateway.change { state in
                defer { state.nextFollower += 1 }
                state.followers[state.nextFollower] = connection
                return state.nextFollower
            }
            return { [gateway] event in gateway.happened(event, toFollower: follower) }
        }
    }

    func happened(_ event: LinkEvent, toFollower follower: Int) {
        change { state in
            guard let connection = state.followers[follower] else { return }
            switch event {
            case .opened: break
            case .received(let text):
                // A follower may send only one frame.
                guard !state.reading.contains(follower), let answer = state.feed.received(text) else {
                    state.effects.append(.close(connection))
                    return
                }
                connection.admit()
                state.reading.insert(follower)
                state.effects.append(.send(answer.frame, connection))
                state.effects.append(.sendPage(after: answer.after, follower))
            case .closed:
                state.feed.closed(follower)
                state.followers[follower] = nil
                state.reading.remove(follower)
            }
        }
    }

    /// Sends the next page of the log; the page after it follows when this one has left the process. A slow follower therefore
    /// holds one page of memory, and a follower that has read everything is woken by the next event.
    ///
    /// The page is copied under the lock. Its frames are built outside, on a thread that may block, so a follower that reads the
    /// whole log blocks nobody.
    func sendPage(after number: Int64, toFollower follower: Int) {
        NIOSingletons.posixBlockingThreadPool.submit { _ in
            let next = self.state.withLock { state -> (any LinkConnection, EventFeed.Page)? in
                guard let connection = state.followers[follower] else { return nil }
                return (connection, state.feed.nextPage(after: number, for: follower))
            }
            guard let (connection, page) = next, let last = page.last else { return }
            connection.send(LinkBatch(page.frames))
            connection.whenFlushed { self.sendPage(after: last, toFollower: follower) }
        }
    }
}
