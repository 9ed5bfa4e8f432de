public import DeviceLink
public import PushModel
import Synchronization

/// A gateway's courier in a test: gives tokens, hands over pushes, keeps what devices report.
///
/// It knows no expiration, collapse or credentials; for those, run the real gateway (PosthornStack).
public final class TestCourier: LinkAcceptor {
    private struct State {
        var tokens: [String: DeviceToken] = [:]
        /// How many tokens were made: none comes twice.
        var made = 0
        /// Tokens that devices gave back.
        var unregistered: [DeviceToken] = []
        var links: [String: any LinkConnection] = [:]
        /// Pushes that were not acknowledged, by device.
        var waiting: [String: [CourierPush]] = [:]
        var acknowledged: [String] = []
        var reported: [CourierEvent] = []
        var acknowledgesEvents = true
        var hellos = 0
        var asleep: Set<String> = []
    }

    private let state = Mutex(State())

    public init() {}

    /// The apns-ids that devices acknowledged, in order, repeats included.
    public var acknowledged: [String] { state.withLock(\.acknowledged) }
    /// The journey events that devices reported, in order, repeats included.
    public var reported: [CourierEvent] { state.withLock(\.reported) }
    /// The tokens that devices gave back, in order: their apps were removed, or want no pushes any more. A gateway
    /// answers pushes to them with 410.
    public var unregistered: [DeviceToken] { state.withLock(\.unregistered) }
    /// How often a device has connected.
    public var hellos: Int { state.withLock(\.hellos) }

    /// The devices that say they sleep. Here they get every push at once all the same.
    public var asleep: Set<String> { state.withLock(\.asleep) }

    /// Whether events are acknowledged, as they are at first.
    public func setAcknowledgesEvents(_ acknowledges: Bool) { state.withLock { $0.acknowledgesEvents = acknowledges } }

    /// Hands a push over, now or when the device connects, and again until it is acknowledged.
    public func send(_ push: CourierPush, to device: String) {
        let link = state.withLock { state in
            state.waiting[device, default: []].append(push)
            return state.links[device]
        }
        link?.send(CourierFrame.push(push).text)
    }

    /// Ends the device's link, as a lost network does.
    public func drop(_ device: String) {
        state.withLock { $0.links.removeValue(forKey: device) }?.close()
    }

    public func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        let peer = Peer()
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
                // Different for each, and the same in each run.
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
        case .subscribe(let topic, let environment, let channel):
            // There are no channels here.
            let frame = CourierFrame.unsubscribe(topic: topic, environment: environment, channel: channel)
            connection.send(frame.text)
        case .unsubscribe: break
        case .registered, .push, .eventsAck, .refused:
            connection.close()
        }
    }

    private static func token(_ number: Int) -> DeviceToken {
        DeviceToken(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* 7) })
    }
}

/// Who speaks on a link, once it has said hello.
private final class Peer: Sendable {
    private let name = Mutex<String?>(nil)

    var device: String? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }
}
