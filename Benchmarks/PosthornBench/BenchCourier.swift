import DeviceLink
import DeviceLinkNIO
import NIOPosix
import PushModel
import Synchronization

/// A device on a real socket that counts the pushes it receives.
final class BenchCourier: Sendable {
    private struct State {
        var client: CourierClient
        var random = SplitMix(seed: 1)
        var url = ""
        var link = 0
        var connection: (any LinkConnection)?
        var token: DeviceToken?
        /// The number of times the push of each round has arrived.
        var rounds: [UInt8]
        /// Whether the link ends with the next push, which is then not acknowledged.
        var isCut = false
    }

    private static let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton)
    private let state: Mutex<State>

    /// Creates a device that subscribes to the broadcast channels, whose messages count as pushes.
    init(_ name: String, pushes: Int, channels: [String] = []) {
        var random = SystemRandomNumberGenerator()
        var client = CourierClient(device: name, key: CourierClient.makeKey(using: &random))
        _ = client.register(topic: BenchGateway.topic, environment: .production)
        let subscriptions = channels.map {
            CourierChannel(topic: BenchGateway.topic, environment: .production, id: $0)
        }
        _ = client.setChannels(Set(subscriptions))
        state = Mutex(State(client: client, rounds: Array(repeating: 0, count: pushes)))
    }

    var token: DeviceToken? { state.withLock(\.token) }
    /// The number of pushes that have reached the app, each counted once.
    var delivered: Int { state.withLock { $0.rounds.count { $0 > 0 } } }
    var hasEachOnce: Bool { state.withLock { $0.rounds.allSatisfy { $0 == 1 } } }
    /// The number of links the device has opened.
    var links: Int { state.withLock(\.link) }

    func connect(to url: String) {
        state.withLock { state in
            state.url = url
            perform(state.client.start(), &state)
        }
    }

    /// Ends the link with the next push and opens another one.
    func cut() { state.withLock { $0.isCut = true } }

    private func heard(_ event: LinkEvent, on link: Int) {
        state.withLock { state in
            guard link == state.link else { return }
            switch event {
            case .opened: perform(state.client.opened(), &state)
            case .received(let text):
                guard let frame = try? CourierFrame(text: text) else { return }
                if case .push = frame, state.isCut {
                    state.connection?.close()
                } else {
                    perform(state.client.received(frame), &state)
                }
            case .closed(let reason):
                state.isCut = false
                _ = state.client.closed(reason, using: &state.random)
                // At once, like a device that has switched networks.
                perform(state.client.waited(), &state)
            }
        }
    }

    private func perform(_ actions: [CourierClient.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .open:
                state.link += 1
                let link = state.link
                // Link events arrive on an event loop, which waits for this lock.
                state.connection = Self.dialer.open(state.url) { event in self.heard(event, on: link) }
            case .send(let frame): state.connection?.send(frame.text)
            case .token(_, _, let token): state.token = token
            case .deliver(let push): count(push, &state)
            case .close, .wait, .connected, .disconnected, .channelEnded: break
            }
        }
    }

    private func count(_ push: CourierPush, _ state: inout State) {
        guard let round = (try? JSONValue(parsing: push.payload))?.object?["round"]?.integer else { return }
        state.rounds[Int(round)] = min(250, state.rounds[Int(round)] + 1)
    }
}

/// Counts the deliveries that the gateway reports.
final class DeliveryCounter: JourneySink {
    private let state = Mutex((ids: Set<String>(), hasRepeats: false))

    var total: Int { state.withLock(\.ids.count) }
    var hasRepeats: Bool { state.withLock(\.hasRepeats) }

    func record(_ event: JourneyEvent, of subject: JourneySubject) {
        guard case .push(let apnsID) = subject, event.kind == .delivered else { return }
        state.withLock { state in
            if !state.ids.insert(apnsID).inserted { state.hasRepeats = true }
        }
    }
}
