public import PushModel

/// The device's end of the courier link: registers topics, acknowledges pushes, drops duplicates, reports journey
/// events.
///
/// It outlives individual links: anything unacknowledged is sent again on the next one.
public struct CourierClient: Sendable {
    /// The steps the owner performs, in order.
    public enum Action: Hashable, Sendable {
        /// Open a link.
        case open
        case close
        case send(CourierFrame)
        /// Call ``CourierClient/waited()`` after this delay.
        case wait(Duration)
        case connected
        case disconnected(String)
        case token(topic: String, environment: APNSEnvironment, DeviceToken)
        case deliver(CourierPush)
        /// The channel does not exist, or no longer; the client has ended the subscription.
        case channelEnded(CourierChannel)
    }

    private enum State {
        case stopped
        case opening
        case open
        case waiting
    }

    private struct Topic: Hashable {
        var name: String
        var environment: APNSEnvironment
    }

    /// The number of apns-ids remembered to detect duplicates.
    public static let memory = 1000
    /// The maximum number of unacknowledged journey events; beyond it the oldest are dropped.
    public static let eventLimit = 10_000
    /// The maximum number of events in a frame.
    static let batch = 100

    private let device: String
    private let key: String
    /// The gateway's reason for closing the link, if it gave one.
    private var refusal: String?
    private var state = State.stopped
    private var isAwake = true
    private var backoff = LinkBackoff()
    private var topics: [Topic] = []
    /// The channels that the device wants to be subscribed to.
    public private(set) var channels: Set<CourierChannel> = []
    /// The subscriptions that ended without a link; the gateway is told on the next one.
    private var ended: Set<CourierChannel> = []
    private var seen: Set<String> = []
    /// The pushes that the device works on before it acknowledges them.
    private var inWork: Set<String> = []
    private var seenInOrder: [String] = []
    private var nextNumber: Int64
    private var unacknowledged: [CourierEvent] = []

    /// - Parameters:
    ///   - device: the device's id, which cannot be guessed.
    ///   - key: proves to the gateway that this is the device with that id; see ``makeKey(using:)``.
    ///   - firstNumber: the number of the first journey event, greater than any that the device has used before; the
    ///     gateway treats numbers up to the last one it knows as duplicates.
    public init(device: String, key: String, firstNumber: Int64 = 1) {
        self.device = device
        self.key = key
        nextNumber = firstNumber
    }

    /// Creates a key for a device: 32 random bytes in hexadecimal digits. Keep it as long as the id.
    public static func makeKey(using random: inout some RandomNumberGenerator) -> String {
        random.hexadecimalDigits(64)
    }

    /// Whether the link is open.
    public var isConnected: Bool { state == .open }

    /// Begins to connect; no effect if it has begun.
    public mutating func start() -> [Action] {
        guard state == .stopped else { return [] }
        state = .opening
        return [.open]
    }

    /// Closes the link and stops connecting.
    public mutating func stop() -> [Action] {
        defer { state = .stopped }
        switch state {
        case .stopped, .waiting: return []
        case .opening: return [.close]
        case .open: return [.close, .disconnected("the device closed the link")]
        }
    }

    /// Handles an opened link: authenticates, registers topics, and repeats unacknowledged events.
    public mutating func opened() -> [Action] {
        guard state == .opening else { return [] }
        state = .open
        refusal = nil
        var actions: [Action] = [.send(.hello(device: device, key: key)), .connected]
        // Sent before the topics, whose pushes arrive immediately.
        if !isAwake { actions.append(.send(.awake(false))) }
        for topic in topics { actions.append(.send(.register(topic: topic.name, environment: topic.environment))) }
        actions += changes(ending: ended, beginning: channels)
        ended = []
        actions += unacknowledged.slices(of: Self.batch).map { .send(.events(Array($0))) }
        return actions
    }

    /// Handles a link that could not be opened, or ended.
    public mutating func closed(_ reason: String, using random: inout some RandomNumberGenerator) -> [Action] {
        switch state {
        case .stopped, .waiting:
            return []
        case .opening:
            state = .waiting
            return [.wait(backoff.next(using: &random))]
        case .open:
            state = .waiting
            return [.disconnected(refusal ?? reason), .wait(backoff.next(using: &random))]
        }
    }

    /// Handles the end of the delay before the next attempt.
    public mutating func waited() -> [Action] {
        guard state == .waiting else { return [] }
        state = .opening
        return [.open]
    }

    /// Handles a frame; frames that a gateway does not send are ignored.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - acknowledgesLater: whether a new push is acknowledged by ``acknowledge(_:)`` instead of at once. Until then it comes again on
    ///     each link, and to the device's next process.
    /// - Returns: what to do.
    public mutating func received(_ frame: CourierFrame, acknowledgesLater: Bool = false) -> [Action] {
        guard state == .open else { return [] }
        switch frame {
        case .registered(let topic, let environment, let token):
            backoff.reset()
            guard topics.contains(Topic(name: topic, environment: environment)) else { return [] }
            return [.token(topic: topic, environment: environment, token)]
        case .push(let push):
            backoff.reset()
            let isNew = remember(push.apnsID)
            if isNew, acknowledgesLater {
                inWork.insert(push.apnsID)
                return [.deliver(push)]
            }
            if inWork.contains(push.apnsID) { return [] }
            let leaves = unwantedChannel(of: push).map { [Action.send($0.unsubscribe)] } ?? []
            return [.send(.ack(apnsID: push.apnsID))] + leaves + (isNew ? [.deliver(push)] : [])
        case .eventsAck(let number):
            backoff.reset()
            unacknowledged.removeAll { $0.number <= number }
            return []
        case .refused(let message):
            // No backoff.reset(): the next attempt will most likely end the same way.
            refusal = message
            return []
        case .unsubscribe(let topic, let environment, let id):
            let channel = CourierChannel(topic: topic, environment: environment, id: id)
            return channels.remove(channel) == nil ? [] : [.channelEnded(channel)]
        case .hello, .register, .unregister, .awake, .subscribe, .ack, .events:
            return []
        }
    }

    /// Acknowledges a push that ``received(_:acknowledgesLater:)`` left open, now or when it comes again; any other is ignored.
    public mutating func acknowledge(_ apnsID: String) -> [Action] {
        guard inWork.remove(apnsID) != nil, state == .open else { return [] }
        return [.send(.ack(apnsID: apnsID))]
    }

    /// Requests a token for an app: now or after the next connection, and again after each one.
    public mutating func register(topic: String, environment: APNSEnvironment) -> [Action] {
        let topic = Topic(name: topic, environment: environment)
        if !topics.contains(topic) { topics.append(topic) }
        guard state == .open else { return [] }
        return [.send(.register(topic: topic.name, environment: topic.environment))]
    }

    /// Gives up the token of an app, now or after the next connection.
    public mutating func unregister(topic: String, environment: APNSEnvironment) -> [Action] {
        let topic = Topic(name: topic, environment: environment)
        guard topics.contains(topic) else { return [] }
        topics.removeAll { $0 == topic }
        guard state == .open else { return [] }
        return [.send(.unregister(topic: topic.name, environment: topic.environment))]
    }

    /// Subscribes to exactly these channels: now or after the next connection, and again after each one. The gateway stores
    /// subscriptions, so a device gets a stored message even if the app does not ask again.
    ///
    /// - Parameter wanted: all channels of all apps; the client ends every other subscription.
    /// - Returns: what to do.
    public mutating func setChannels(_ wanted: Set<CourierChannel>) -> [Action] {
        let left = channels.subtracting(wanted)
        let new = wanted.subtracting(channels)
        channels = wanted
        guard state == .open else {
            ended = ended.union(left).subtracting(wanted)
            return []
        }
        return changes(ending: left, beginning: new)
    }

    private func changes(ending left: Set<CourierChannel>, beginning new: Set<CourierChannel>) -> [Action] {
        left.sorted(by: CourierChannel.precedes).map { .send($0.unsubscribe) }
            + new.sorted(by: CourierChannel.precedes).map { .send($0.subscribe) }
    }

    /// The channel of a message to which the device is not subscribed any more: an earlier process of the device was.
    private func unwantedChannel(of push: CourierPush) -> CourierChannel? {
        let channel = push.channel.map { CourierChannel(topic: push.topic, environment: push.environment, id: $0) }
        return channel.flatMap { channels.contains($0) ? nil : $0 }
    }

    /// Records that the device woke up or went to sleep.
    public mutating func setAwake(_ isAwake: Bool) -> [Action] {
        guard isAwake != self.isAwake else { return [] }
        self.isAwake = isAwake
        return state == .open ? [.send(.awake(isAwake))] : []
    }

    /// Sends a journey event, repeatedly until it is acknowledged.
    public mutating func report(_ event: JourneyEvent, of apnsID: String) -> [Action] {
        let event = CourierEvent(number: nextNumber, apnsID: apnsID, event: event)
        nextNumber += 1
        if unacknowledged.count == Self.eventLimit { unacknowledged.removeFirst() }
        unacknowledged.append(event)
        return state == .open ? [.send(.events([event]))] : []
    }

    private mutating func remember(_ apnsID: String) -> Bool {
        guard seen.insert(apnsID).inserted else { return false }
        seenInOrder.append(apnsID)
        if seenInOrder.count > Self.memory { seen.remove(seenInOrder.removeFirst()) }
        return true
    }
}
