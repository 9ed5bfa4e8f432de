import PushModel

/// The content at one position of the custom message log: one message, or the messages of a batch.
struct CustomMessageDelivery: Sendable {
    /// A message to one device.
    struct Direct: Sendable {
        var device: DeviceOrdinal
        var message: MessageID
        var content: CustomMessage
    }

    enum Content: Sendable {
        /// One message and its audience, as ascending lists.
        case same(CustomMessage, [OrdinalList])
        /// Messages to different devices.
        case each([Direct])
        /// The in-app message of a push and its audience. Each device may get another one, or none.
        ///
        /// Indirect, because a request is large, and values with a content are copied at each accept.
        indirect case inApp(PushRequest, [OrdinalList])

        /// Makes the content of a push to the devices in its chunks for SDK links; nil if it has none.
        init?(_ request: PushRequest, of message: MessageID, in chunks: [Chunk]) {
            self.init(request, of: message, to: chunks.filter(\.kind.isForLinks).map(\.ordinals))
        }

        /// Makes the content of a push to an audience; nil if it has none.
        init?(_ request: PushRequest, of message: MessageID, to audience: [OrdinalList]) {
            guard let content = request.linkMessage else { return nil }
            if content.isInApp {
                self = .inApp(request, audience)
            } else {
                self.init(content, of: message, to: audience)
            }
        }

        /// Makes the content of a message that is the same for an audience.
        init(_ content: CustomMessage, of message: MessageID, to audience: [OrdinalList]) {
            if audience.count == 1, audience[0].ordinals.count == 1 {
                self = .each([Direct(device: audience[0].ordinals[0], message: message, content: content)])
            } else {
                self = .same(content, audience)
            }
        }
    }

    var position: Int64
    var app: App.ID
    /// The id under which the log stores it.
    var logged: MessageID
    var content: Content

    /// The push whose in-app message it is, and its audience.
    var inApp: (PushRequest, [OrdinalList])? {
        if case .inApp(let request, let audience) = content { (request, audience) } else { nil }
    }

    /// The memory it takes, in units of one direct message; an audience list takes four bytes per device.
    fileprivate var weight: Int {
        switch content {
        case .each(let messages): messages.count
        case .same(_, let lists), .inApp(_, let lists): 1 + lists.reduce(0) { $0 + $1.ordinals.count } / 32
        }
    }
}

/// Deliveries that were just added to the log, so that they need not be read back. Anything missing here is in the log.
struct CustomMessageCache {
    enum Step {
        /// The next deliveries of the log, in its order.
        case handOut([CustomMessageDelivery])
        /// The next deliveries must be read from the log.
        case look
        /// There are no deliveries.
        case wait
    }

    /// The capacity of the cache. Beyond it the reader is so far behind that it may as well read the log.
    private static let capacity = 20_000

    /// The deliveries, in the order of the log.
    private var deliveries: [CustomMessageDelivery] = []
    private var weight = 0
    /// Whether something was accepted that may be missing here.
    private var hasMissed = false

    mutating func add(_ new: [CustomMessageDelivery]) {
        weight += new.reduce(0) { $0 + $1.weight }
        if weight > Self.capacity {
            miss()
        } else {
            deliveries.append(contentsOf: new)
        }
    }

    mutating func miss() {
        deliveries = []
        weight = 0
        hasMissed = true
    }

    /// Returns the next step for the reader after the position through which everything was handed out.
    mutating func next(after position: Int64) -> Step {
        if hasMissed {
            hasMissed = false
            return .look
        }
        remove(deliveries.prefix { $0.position <= position }.count)
        guard let first = deliveries.first else { return .wait }
        guard first.position == position + 1 else { return .look }
        var last = position
        let run = deliveries.prefix { next in
            defer { last = next.position }
            return next.position == last + 1
        }
        remove(run.count)
        return .handOut(Array(run))
    }

    private mutating func remove(_ count: Int) {
        weight -= deliveries.prefix(count).reduce(0) { $0 + $1.weight }
        deliveries.removeFirst(count)
    }

    /// The position of the last cached delivery. It was in the log before it was cached: if a later read of the log does not find
    /// it, it was removed from the log.
    var newest: Int64? { deliveries.last?.position }
}
