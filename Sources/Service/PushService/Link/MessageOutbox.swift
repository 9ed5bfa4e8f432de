import DeviceLink
import PushModel

/// The custom messages of one link: what waits to leave, and what has left and is not acknowledged.
struct MessageOutbox {
    enum Step {
        case send([LinkBatch])
        /// The other end takes messages and acknowledges none.
        case hangUp
    }

    private enum Phase {
        /// Nobody takes messages here.
        case closed
        /// What waits for the device is still being looked up.
        case awaiting([MessagePack])
        case open
    }

    /// Messages that may be on their way.
    static let capacity = 1000

    private var phase = Phase.closed
    private var leaving: [LinkBatch] = []
    private var isSending = false
    private var isOver = false
    /// Sent and not all acknowledged, in order.
    private var sent: [MessagePack] = []
    private var sentCount = 0
    private var acknowledged: Int64 = 0
    private var last: Int64 = 0

    mutating func await() { phase = .awaiting([]) }

    mutating func close() { phase = .closed }

    /// - Returns: whether the caller is to take the steps.
    mutating func open(with pack: MessagePack?, after position: Int64) -> Bool {
        guard case .awaiting(let meanwhile) = phase else { return false }
        phase = .open
        if let pack { enqueue(pack) }
        last = max(last, position)
        for pack in meanwhile { enqueue(pack) }
        return begin()
    }

    /// - Returns: whether the caller is to take the steps.
    mutating func add(_ pack: MessagePack) -> Bool {
        switch phase {
        case .closed: return false
        case .awaiting(let before):
            // Beyond this many the link is closed when it opens, and the device finds the newest when it comes back.
            phase = .awaiting(before.count <= Self.capacity ? before + [pack] : before)
            return false
        case .open:
            enqueue(pack)
            return begin()
        }
    }

    private mutating func enqueue(_ whole: MessagePack) {
        guard let pack = whole.rest(after: last) else { return }
        guard sentCount + pack.messages.count <= Self.capacity else {
            isOver = true
            return
        }
        leaving.append(pack.batch)
        sent.append(pack)
        sentCount += pack.messages.count
        last = pack.last
    }

    private mutating func begin() -> Bool {
        guard !isSending, !leaving.isEmpty || isOver else { return false }
        isSending = true
        return true
    }

    mutating func next() -> Step? {
        if isOver {
            phase = .closed
            leaving = []
            return .hangUp
        }
        guard !leaving.isEmpty else {
            isSending = false
            return nil
        }
        defer { leaving = [] }
        return .send(leaving)
    }

    /// - Returns: nil if nothing that was sent lies up to there, beyond what was acknowledged before.
    mutating func acknowledge(_ position: Int64) -> (through: Int64, messages: [MessageID])? {
        var through = acknowledged
        var messages: [MessageID] = []
        for pack in sent.prefix(while: { $0.first <= position }) {
            for message in pack.messages where message.position > acknowledged && message.position <= position {
                messages.append(message.logged)
                through = message.position
            }
        }
        guard !messages.isEmpty else { return nil }
        acknowledged = through
        sentCount -= messages.count
        sent.removeFirst(sent.prefix { $0.last <= through }.count)
        return (through, messages)
    }
}
