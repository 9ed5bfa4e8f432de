import DeviceLink
import DeviceLinkNIO
import NIOPosix
import PushModel
import Synchronization

/// The device's end of the courier link on real sockets, with a network that a test can spoil.
///
/// It waits for nothing by itself: after the end of a link it opens the next one when it is told to.
final class SocketDevice: Sendable {
    private struct State {
        var client: CourierClient
        var random = SplitMix(seed: 1)
        /// The number of the link that it speaks on.
        var link = 0
        var connections: [Int: any LinkConnection] = [:]
        var closed: Set<Int> = []
        /// The pushes that the app got.
        var delivered: [String] = []
        /// The pushes that came over links, repeats included.
        var received = 0
        var tokens: [DeviceToken] = []
        var losesAcks = false
        /// The link ends when so many pushes more have come.
        var cutsAfter: Int?
    }

    private let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton)
    private let state: Mutex<State>

    init(_ name: String) { state = Mutex(State(client: CourierClient(device: name, key: courierKey(name)))) }

    var delivered: [String] { state.withLock(\.delivered) }
    var received: Int { state.withLock(\.received) }
    /// The tokens that the gateway has named, in order; the same one once.
    var tokens: [DeviceToken] { state.withLock(\.tokens) }
    var isConnected: Bool { state.withLock(\.client.isConnected) }
    /// Whether the link that it speaks on has ended.
    var isLost: Bool { state.withLock { $0.closed.contains($0.link) } }
    /// How many links have ended for the device.
    var closedLinks: Int { state.withLock(\.closed.count) }

    /// From now on no acknowledgement reaches the gateway, or all do.
    func loseAcks(_ losesAcks: Bool) { state.withLock { $0.losesAcks = losesAcks } }

    /// Ends the link as soon as so many pushes have come; they are not acknowledged.
    func cut(after pushes: Int) { state.withLock { $0.cutsAfter = pushes } }

    func register(_ environment: APNSEnvironment = .development) {
        state.withLock { state in perform(state.client.register(topic: bundleID, environment: environment), &state) }
    }

    func unregister(_ environment: APNSEnvironment = .development) {
        state.withLock { state in perform(state.client.unregister(topic: bundleID, environment: environment), &state) }
    }

    /// Opens the first link.
    func connect(to url: String) {
        state.withLock { state in if state.client.start() == [.open] { open(url, &state) } }
    }

    /// Opens a link from elsewhere. The one before, if it is open, is left as it is: nobody says goodbye on it.
    func move(to url: String) {
        state.withLock { state in
            state.cutsAfter = nil
            _ = state.client.closed("moved", using: &state.random)
            if state.client.waited() == [.open] { open(url, &state) }
        }
    }

    private func open(_ url: String, _ state: inout State) {
        state.link += 1
        let link = state.link
        // What the link says comes on an event loop, which waits for this lock.
        state.connections[link] = dialer.open(url) { event in self.heard(event, on: link) }
    }

    private func heard(_ event: LinkEvent, on link: Int) {
        state.withLock { state in
            if case .closed = event { state.closed.insert(link) }
            guard link == state.link else { return }
            switch event {
            case .opened: perform(state.client.opened(), &state)
            case .received(let text):
                guard let frame = try? CourierFrame(text: text) else { return }
                if case .push = frame, isCut(&state) { return }
                perform(state.client.received(frame), &state)
            case .closed(let reason): perform(state.client.closed(reason, using: &state.random), &state)
            }
        }
    }

    private func isCut(_ state: inout State) -> Bool {
        state.received += 1
        guard let left = state.cutsAfter else { return false }
        state.cutsAfter = left - 1
        if left == 1 { state.connections[state.link]?.close() }
        return left <= 1
    }

    private func perform(_ actions: [CourierClient.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .send(.ack) where state.losesAcks: break
            case .send(let frame): state.connections[state.link]?.send(frame.text)
            case .deliver(let push): state.delivered.append(push.apnsID)
            case .token(_, _, let token): if !state.tokens.contains(token) { state.tokens.append(token) }
            case .open, .close, .wait, .connected, .disconnected, .channelEnded: break
            }
        }
    }
}
