import DeviceLink
import PushModel
import Synchronization

extension JPushClient {
    func perform(_ action: SDKLinkClient.Action) {
        switch action {
        // The close is reported as an event, after which a new link is opened if one is wanted.
        case .close: shell.withLock(\.connection)?.close()
        case .send(let frame): shell.withLock(\.connection)?.send(frame.text)
        case .wait(let delay): set(.backoff, after: delay) { state in state.act { $0.waited() } }
        case .gather(let delay): set(.gathering, after: delay) { state in state.act { $0.gathered() } }
        case .watch(let number, let delay):
            set(.request(number), after: delay) { state in state.act { $0.expired(number) } }
        case .pause(let numbers, let delay):
            for number in numbers { cancel(.request(number)) }
            set(.pause, after: delay) { state in state.act { $0.resumed() } }
        case .answer(let number, _): cancel(.request(number))
        case .open, .connected, .disconnected, .registered, .forget, .loggedIn, .refused, .message: break
        }
    }

    func openLink(_ link: Int) {
        guard let port = port.port, let url = port.facts.info[JPushState.linkKey]?.string else { return }
        // Events of the opening link queue behind this effect, so the connection is in place by then.
        let connection = port.openLink(url) { [weak self] event in self?.heard(event, on: link) }
        shell.withLock { $0.connection = connection }
    }

    private func heard(_ event: LinkEvent, on link: Int) {
        let zone = port.port?.facts.timeZone
        update { state in
            // The device's time zone may have changed since the last login.
            if case .opened = event, let zone { state.link?.zone = zone }
            state.heard(event, on: link)
        }
    }
}
