public import DeviceLink
public import PushModel
import Synchronization

/// A gateway for tests: it issues tokens, delivers pushes and records the reports of devices.
///
/// It does not support expiration, collapse ids or credentials; for those, run the real gateway (PosthornStack).
public final class TestCourier: LinkAcceptor {
    private struct State {
        var tokens: [String: DeviceToken] = [:]
        /// The number of tokens issued so far, which makes each one different.
        var made = 0
        /// The tokens that devices returned.
        var unregistered: [DeviceToken] = []
        var links: [String: any LinkConnection] = [:]
        /// The pushes that were not acknowledged, by device.
        var waiting: [String: [CourierPush]] = [:]
        var acknowledged: [String] = []
        var reported: [CourierEvent] = []
        var acknowledgesEvents = true
        var hellos = 0
        var asleep: Set<String> = []
    }

    private let state = Mutex(State())

    /// Creates a courier that no device is connected to.
    public init() {}

    /// The apns-ids that devices acknowledged, in order, repeats included.
    public var acknowledged: [String] { state.withLock(\.acknowledged) }
    /// The journey events that devices reported, in order, repeats included.
    public var reported: [CourierEvent] { state.withLock(\.reported) }
    /// The tokens that devices returned, in order, because their apps were removed or unregistered. A gateway answers pushes to
    /// them with 410.
    public var unregistered: [DeviceToken] { state.withLock(\.unregistered) }
    /// The number of times a device has connected.
    public var hellos: Int { state.withLock(\.hellos) }

    /// The devices that have reported that they sleep. Here they still receive every push at once.
    public var asleep: Set<String> { state.withLock(\.asleep) }

    /// Sets whether events are acknowledged, which is the default.
    public func setAcknowledgesEvents(_ acknowledges: Bool) { state.withLock { $0.acknowledgesEvents = acknowledges } }

    /// Delivers a push, now or when the device connects, and again until it is acknowledged.
    public func send(_ push: CourierPush, to device: String) {
        let link = state.withLock { state in
            state.waiting[device, default: []].append(push)
            return state.links[device]
        }
        link?.send(CourierFrame.push(push).text)
    }

    /// Ends the device's link, like the loss of the network.
    public func drop(_ device: String) { state.withLock { $0.links.removeValue(forKey: device) }?.close() }

    public func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        let peer = LinkPeer()
        return { [weak self] event in
            guard let self else { return }
            switch event {
            case .opened: break
            case .received(let text):
                guard let frame = try? CourierFrame(text: text) else { return connection.close() }
                if case .hello(let name, _) = frame { peer.device = name }
                if let name = peer.device { self.answer(frame, of: name, on: connection) }
            case .closed:
                guard let name = peer.device else { return }
                self.state.withLock { if $0.links[name] === connection { $0.links[name] = nil } }
            }
        }
    }

    private func answer(_ frame: CourierFrame, of device: String, on connection: any LinkConnection) {
        switch frame {
        case .hello:
            let pushes = state.withLock { state in
                state.hellos += 1
                state.asleep.remove(device)
                state.links[device] = connection
                return state.waiting[device] ?? []
            }
            for push in pushes { connection.send(CourierFrame.push(push).text) }
        case .register(let topic, let environment):
            let token = state.withLock { state in
                let key = "\(device) \(topic) \(environment.rawValue)"
                // Different for each app, and the same in each run.
                if let token = state.tokens[key] { return token }
                state.made += 1
                let token = Self.token(state.made)
                state.tokens[key] = token
                return token
            }
            connection.send(CourierFrame.registered(topic: topic, environment: environment, token: token).text)
        case .unregister(let topic, let environment):
            state.withLock { state in
                let token = state.tokens.removeValue(forKey: "\(device) \(topic) \(environment.rawValue)")
                if let token { state.unregistered.append(token) }
            }
        case .ack(let apnsID):
            state.withLock { state in
                state.acknowledged.append(apnsID)
                state.waiting[device]?.removeAll { $0.apnsID == apnsID }
            }
        case .events(let events):
            let acknowledges = state.withLock { state in
                state.reported += events
                return state.acknowledgesEvents
            }
            if acknowledges, let last = events.last {
                connection.send(CourierFrame.eventsAck(through: last.number).text)
            }
        case .awake(let isAwake):
            state.withLock { $0.asleep = isAwake ? $0.asleep.subtracting([device]) : $0.asleep.union([device]) }
        // Every channel exists here: `TestPhone.broadcast` sends its messages.
        case .subscribe, .unsubscribe: break
        case .registered, .push, .eventsAck, .refused:
            connection.close()
        }
    }

    private static func token(_ number: Int) -> DeviceToken {
        DeviceToken(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* 7) })
    }
}

/// The device at the other end of a link, known once it has said who it is.
final class LinkPeer: Sendable {
    private let name = Mutex<String?>(nil)

    var device: String? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }
}
