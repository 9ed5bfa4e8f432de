import PushModel

/// The custom messages of one link: what waits to leave, and what has left and is not acknowledged.
struct MessageOutbox {
    enum Step: Equatable {
        case send([String])
        /// The other end takes messages and acknowledges none.
        case hangUp
    }

    private enum Phase {
        /// Nobody takes messages here.
        case closed
        /// What waits for the device is still being looked up.
        case awaiting([PreparedMessage])
        case open
    }

    /// Messages that may be on their way.
    static let capacity = 1000

    private var phase = Phase.closed
    private var texts: [String] = []
    private var isSending = false
    private var isOver = false
    /// Sent and not acknowledged, in order.
    private var sent: [(position: Int64, message: MessageID)] = []
    private var last: Int64 = 0

    mutating func await() { phase = .awaiting([]) }

    mutating func close() { phase = .closed }

    /// - Returns: whether the caller is to take the steps.
    mutating func open(with messages: [PreparedMessage], after position: Int64) -> Bool {
        guard case .awaiting(let meanwhile) = phase else { return false }
        phase = .open
        enqueue(messages)
        last = max(last, position)
        enqueue(meanwhile)
        return begin()
    }

    /// - Returns: whether the caller is to take the steps.
    mutating func add(_ messages: [PreparedMessage]) -> Bool {
        switch phase {
        case .closed: return false
        case .awaiting(let before):
            // Beyond this many the link is closed when it opens, and the device finds the newest when it comes back.
            phase = .awaiting(before.count <= Self.capacity ? before + messages : before)
            return false
        case .open:
            enqueue(messages)
            return begin()
        }
    }

    private mutating func enqueue(_ messages: [PreparedMessage]) {
        for message in messages where message.position > last {
            guard sent.count < Self.capacity else {
                isOver = true
                return
            }
            texts.append(message.text)
            sent.append((message.position, message.message))
            last = message.position
        }
    }

    private mutating func begin() -> Bool {
        guard !isSending, !texts.isEmpty || isOver else { return false }
        isSending = true
        return true
    }

    mutating func next() -> Step? {
        if isOver {
            phase = .closed
            texts = []
            return .hangUp
        }
        guard !texts.isEmpty else {
            isSending = false
            return nil
        }
        defer { texts = [] }
        return .send(texts)
    }

    /// - Returns: nil if nothing that was sent lies up to there.
    mutating func acknowledge(_ position: Int64) -> (through: Int64, messages: [MessageID])? {
        let count = sent.prefix { $0.position <= position }.count
        guard count > 0 else { return nil }
        let through = sent[count - 1].position
        let messages = sent.prefix(count).map(\.message)
        sent.removeFirst(count)
        return (through, messages)
    }
}
