import DeviceLink
import Synchronization

extension Device {
    func perform(_ action: CourierClient.Action) {
        switch action {
        case .open: openLink()
        case .close: closeLink()
        case .send(let frame): shell.withLock(\.connection)?.send(frame.text)
        case .wait(let delay): set(.courier, delay)
        case .connected: update { $0.connected() }
        case .disconnected(let reason): update { $0.emit(.disconnected(reason: reason)) }
        case .deliver(let push): receive(push)
        case .channelEnded(let channel): update { $0.channelEnded(channel) }
        case .token(let topic, let environment, let token):
            update { $0.received(token, topic: topic, environment: environment) }
        }
    }

    private func openLink() {
        let (url, link) = shell.withLock { shell in
            shell.link += 1
            return (shell.url, shell.link)
        }
        guard let url else { return }
        // Events of the opening link queue behind this effect, so the connection is in place by then.
        let connection = dialer.open(url) { [weak self] event in self?.heard(event, on: link) }
        shell.withLock { $0.connection = connection }
    }

    private func closeLink() {
        let connection = shell.withLock { shell in
            shell.link += 1
            defer { shell.connection = nil }
            return shell.connection
        }
        connection?.close()
    }

    private func heard(_ event: LinkEvent, on link: Int) {
        guard shell.withLock({ $0.link == link }) else { return }
        update { state in
            let actions: [CourierClient.Action]
            switch event {
            case .opened: actions = state.courier.opened()
            case .received(let text):
                // A frame unknown to this version has no effect.
                actions = (try? CourierFrame(text: text)).map { state.received($0) } ?? []
            case .closed(let reason): actions = state.courier.closed(reason, using: &state.random)
            }
            state.perform(actions)
        }
    }
}
