package import DeviceLink
import NIOCore
import NIOPosix
import PushModel
import Synchronization

/// Followers of the events.
extension Gateway {
    /// Where followers of the events come in (``GatewayEventsFollower``).
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
        let start = change { state -> Int64? in
            guard let connection = state.followers[follower] else { return nil }
            switch event {
            case .opened: return nil
            case .received(let text):
                // One that follows already has nothing more to say.
                guard !state.reading.contains(follower), let answer = state.feed.received(text) else {
                    state.effects.append(.close(connection))
                    return nil
                }
                connection.admit()
                state.reading.insert(follower)
                state.effects.append(.send(answer.frame, connection))
                return answer.after
            case .closed:
                state.feed.closed(follower)
                state.followers[follower] = nil
                state.reading.remove(follower)
                return nil
            }
        }
        if let start { sendPage(after: start, toFollower: follower) }
    }

    /// Sends what is kept page by page, and has the follower hear the rest as it comes.
    ///
    /// A page is taken under the lock and made frames of outside, on a thread that may take its time: a follower that asks for the whole
    /// log holds up nobody. Between two pages others have their turn on that thread too.
    private func sendPage(after number: Int64, toFollower follower: Int) {
        NIOSingletons.posixBlockingThreadPool.submit { _ in
            let (connection, page) = self.state.withLock { state in
                let page = state.feed.page(after: number)
                // Nothing can come between this page, which is the end, and the first event that it hears by itself.
                if page.last == nil, state.followers[follower] != nil { state.feed.join(follower) }
                return (state.followers[follower], page)
            }
            guard let connection, let last = page.last else { return }
            for frame in page.frames { connection.send(frame) }
            self.sendPage(after: last, toFollower: follower)
        }
    }
}
