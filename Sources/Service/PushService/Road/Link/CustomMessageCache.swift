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
