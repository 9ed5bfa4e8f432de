import PushClock
package import PushModel
import Synchronization

/// A ``CourierClient`` with its links, for a device without an emulated system behind it.
package final class LinkedCourier: Sendable {
    private struct State: EffectfulState {
        var client: CourierClient
        var random: SplitMix
        var effects: [CourierClient.Action] = []

        mutating func takeEffects() -> [CourierClient.Action] {
            defer { effects = [] }
            return effects
        }
    }

    private let queue: EffectQueue<State>
    private let link = Mutex<(number: Int, connection: (any LinkConnection)?)>((0, nil))
    private let url: String
    private let dialer: any LinkDialer
    private let acknowledgesLater: Bool
    private let failed: @Sendable (_ reason: String, _ isRefusal: Bool) -> Void
    private let handler: @Sendable (LinkedCourier, CourierClient.Action) -> Void

    /// - Parameters:
    ///   - client: the state of the device.
    ///   - url: the address of the gateway's courier link.
    ///   - dialer: opens the links.
    ///   - random: the jitter of the delays before links are opened again.
    ///   - acknowledgesLater: whether the handler acknowledges pushes.
    ///   - failed: receives the reason why a link was not opened, each time; and why the gateway refuses the device, which it will
    ///     always do.
    ///   - handler: carries out all actions but those on links, one at a time. After a `wait` it calls ``CourierClient/waited()``.
    package init(
        _ client: CourierClient,
        url: String,
        dialer: any LinkDialer,
        random: SplitMix,
        acknowledgesLater: Bool,
        failed: @escaping @Sendable (_ reason: String, _ isRefusal: Bool) -> Void,
        handler: @escaping @Sendable (LinkedCourier, CourierClient.Action) -> Void
    ) {
        queue = EffectQueue(State(client: client, random: random))
        self.url = url
        self.dialer = dialer
        self.acknowledgesLater = acknowledgesLater
        self.failed = failed
        self.handler = handler
    }

    /// Changes the state of the device, and carries out the actions that follow.
    package func change(_ body: (inout CourierClient) -> [CourierClient.Action]) {
        queue.update(perform: perform) { $0.effects += body(&$0.client) }
    }

    private func perform(_ action: CourierClient.Action) {
        switch action {
        case .open:
            let number = next().number
            let connection = dialer.open(url) { [weak self] event in self?.heard(event, on: number) }
            // Events of this link queue behind the effect that is being performed.
            link.withLock { $0.connection = connection }
        case .close: next().connection?.close()
        case .send(let frame): link.withLock(\.connection)?.send(frame.text)
        case .wait, .connected, .disconnected, .token, .deliver, .channelEnded: handler(self, action)
        }
    }

    /// Ignores the link so far.
    ///
    /// - Returns: the number of the next one, and the connection of the one so far.
    private func next() -> (number: Int, connection: (any LinkConnection)?) {
        link.withLock { link in
            defer { link.connection = nil }
            link.number += 1
            return link
        }
    }

    private func heard(_ event: LinkEvent, on number: Int) {
        guard link.withLock({ $0.number == number }) else { return }
        let failure: (reason: String, isRefusal: Bool)? = queue.update(perform: perform) { state in
            switch event {
            case .opened: state.effects += state.client.opened()
            case .received(let text):
                // A frame unknown to this version has no effect.
                guard let frame = try? CourierFrame(text: text) else { break }
                state.effects += state.client.received(frame, acknowledgesLater: acknowledgesLater)
                if case .refused(let reason) = frame { return (reason, true) }
            case .closed(let reason):
                let wasOpen = state.client.isConnected
                state.effects += state.client.closed(reason, using: &state.random)
                if !wasOpen { return (reason, false) }
            }
            return nil
        }
        if let failure { failed(failure.reason, failure.isRefusal) }
    }
}

/// The end of a device that its gateway refuses: another attempt would end the same way.
package struct LinkRefusal: Error, CustomStringConvertible {
    package var description: String

    package init(_ reason: String) { description = "The gateway refuses the device: \(reason)" }
}
