import DeviceLink
import PushClock
import Synchronization
import SystemPort

extension ProcessEndpoint {
    /// Handles a frame from the app.
    ///
    /// - Throws: for an unexpected frame.
    func receive(_ frame: AppFrame) throws(PortProblem) {
        let isOver = try state.withLock { state throws(PortProblem) in
            try state.order.check(frame)
            return state.isTerminated
        }
        if isOver { return }
        switch frame {
        case .hello: break
        case .call(let id, let call): port.call(call) { [weak self] reply in self?.send(.reply(id: id, reply)) }
        case .read(let id, let call): send(.answer(id: id, answer(to: call)))
        case .askTime(let id): send(.time(id: id, face.reading))
        case .sleep(let id, let moment): setAlarm(id, moment)
        case .cancelSleep(let id): state.withLock { $0.alarms.removeValue(forKey: id) }?.cancel()
        case .eventReply(let event, let reply):
            let take = state.withLock { $0.replies[event] }
            take?(reply)
        case .openLink(let link, let url): open(link, url)
        case .sendOnLink(let link, let text): state.withLock { $0.links[link] }?.send(text)
        case .pingLink(let link): state.withLock { $0.links[link] }?.ping()
        case .closeLink(let link): state.withLock { $0.links.removeValue(forKey: link) }?.close()
        }
    }

    private func answer(to call: SystemCall) -> SystemReply {
        let reply = port.read(call)
        guard case .facts(let facts) = reply else { return reply }
        return .facts(own(facts))
    }

    /// The limit of the clock: a longer sleep ends there. Durations near the limits of their type would overflow.
    private static let farthest = Duration.seconds(RepeatingInterval.longest)

    private func setAlarm(_ id: Int, _ moment: Duration) {
        let moment = min(max(moment, .zero), Self.farthest)
        let alarm = Alarm(after: moment - face.reading.elapsed, on: face.clock) { [weak self] in
            self?.state.withLock { _ = $0.alarms.removeValue(forKey: id) }
            self?.send(.wake(id: id))
        }
        let isOver = state.withLock { state in
            // One that has already rung is kept until the end, which is harmless.
            if !state.isTerminated { state.alarms[id] = alarm }
            return state.isTerminated
        }
        if isOver { alarm.cancel() }
    }

    private func open(_ number: Int, _ url: String) {
        let link = port.openLink(url) { [weak self] event in
            switch event {
            case .opened: self?.send(.linkOpened(link: number))
            case .received(let text): self?.send(.linkReceived(link: number, text: text))
            case .closed(let reason):
                self?.state.withLock { _ = $0.links.removeValue(forKey: number) }
                self?.send(.linkClosed(link: number, reason: reason))
            }
        }
        let isOver = state.withLock { state in
            if !state.isTerminated { state.links[number] = link }
            return state.isTerminated
        }
        if isOver { link.close() }
    }
}
