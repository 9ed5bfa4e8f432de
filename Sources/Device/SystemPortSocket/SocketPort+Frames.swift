import DeviceLink
import Dispatch
import Synchronization
import SystemPort

extension SocketPort {
    /// Handles a frame on the reading thread: answers go to their waiters, everything else to the app's queue.
    ///
    /// - Throws: for an unexpected frame.
    func receive(_ frame: DeviceFrame) throws(PortProblem) {
        try state.withLock { state throws(PortProblem) in try state.order.check(frame) }
        switch frame {
        case .start: break
        case .facts(let facts): state.withLock { $0.facts = facts }
        case .event(let id, let event): queue.async { [self] in deliver(event, id) }
        case .reply(let id, let reply):
            let completion = state.withLock { $0.calls.removeValue(forKey: id) }
            queue.async { completion?(reply) }
        case .answer(let id, let reply): state.withLock { $0.questions.removeValue(forKey: id) }?.settle(.reply(reply))
        case .time(let id, let reading):
            state.withLock { $0.questions.removeValue(forKey: id) }?.settle(.time(reading))
        case .wake(let id):
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            queue.async { sleeper?.resume() }
        case .linkOpened(let link): deliver(link, .opened)
        case .linkReceived(let link, let text): deliver(link, .received(text))
        case .linkClosed(let link, let reason): deliver(link, .closed(reason))
        }
    }

    private func deliver(_ link: Int, _ event: LinkEvent) {
        let handler = state.withLock { state in
            defer { if case .closed = event { state.links[link] = nil } }
            return state.links[link]
        }
        queue.async { handler?(event) }
    }
}

/// A link of the app's own, which the device holds.
final class SocketLink: LinkConnection {
    private let port: SocketPort
    private let number: Int

    init(port: SocketPort, number: Int) {
        self.port = port
        self.number = number
    }

    func send(_ text: String) { port.send(.sendOnLink(link: number, text: text)) }
    func ping() { port.send(.pingLink(link: number)) }
    func close() { port.send(.closeLink(link: number)) }
}
