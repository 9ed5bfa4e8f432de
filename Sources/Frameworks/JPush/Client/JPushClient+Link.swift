import DeviceLink
import Foundation
import PushModel
import Synchronization
import SystemPort

extension JPushClient {
    func perform(_ action: SDKLinkClient.Action) {
        switch action {
        case .open: openLink()
        // The end comes back as an event, from which a new link follows where one is wanted.
        case .close: shell.withLock(\.connection)?.close()
        case .send(let frame): shell.withLock(\.connection)?.send(frame.text)
        case .wait(let delay): set(.backoff, delay) { state, effects in state.act(&effects) { $0.waited() } }
        case .watch(let number, let delay):
            set(.request(number), delay) { state, effects in state.act(&effects) { $0.expired(number) } }
        case .answer(let number, _): cancel(.request(number))
        case .connected, .disconnected, .registered, .forget, .loggedIn, .refused, .message: break
        }
    }

    private func openLink() {
        guard let port = port.port, let url = port.facts.info[JPushState.linkKey]?.string else { return }
        let link = shell.withLock { shell in
            shell.link += 1
            return shell.link
        }
        // What the link says while it opens waits behind this effect, so the connection is in place by then.
        let connection = port.openLink(url) { [weak self] event in self?.heard(event, on: link) }
        shell.withLock { $0.connection = connection }
    }

    private func heard(_ event: LinkEvent, on link: Int) {
        guard shell.withLock({ $0.link == link }) else { return }
        update { state, effects in
            switch event {
            case .opened: state.act(&effects) { $0.opened() }
            case .closed(let reason): state.closed(reason, &effects)
            case .received(let text):
                // A frame that this version does not know changes nothing.
                guard let frame = try? SDKFrame(text: text) else { return }
                state.act(&effects) { $0.received(frame) }
            }
        }
    }
}
