import Synchronization

extension APNSConnection {
    /// The end of a connection by the other side, as its events tell it.
    package final class Fate: Sendable {
        private let state = Mutex<(goAway: APNSGoAway?, isOver: Bool)>((nil, false))

        package init() {}

        package var goAway: APNSGoAway? { state.withLock(\.goAway) }
        /// Whether the connection accepts no more requests.
        package var isOver: Bool { state.withLock(\.isOver) }

        package func consider(_ event: Event) {
            state.withLock { state in
                switch event {
                case .settings, .quiet: return
                case .goAway(let goAway): state.goAway = goAway
                case .closed, .leaving: break
                }
                state.isOver = true
            }
        }
    }
}
