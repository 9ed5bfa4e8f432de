package import DeviceLink
import PushModel

/// Followers of the events.
extension Gateway {
    /// Where followers of the events come in (``GatewayEventsFollower``).
    package var events: any LinkAcceptor { EventsDoor(gateway: self) }

    private struct EventsDoor: LinkAcceptor {
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
                if let frames = state.feed.received(text, from: follower) {
                    connection.admit()
                    state.effects += frames.map { .send($0, connection) }
                } else {
                    state.effects.append(.close(connection))
                }
            case .closed:
                state.feed.closed(follower)
                state.followers[follower] = nil
            }
        }
    }
}
