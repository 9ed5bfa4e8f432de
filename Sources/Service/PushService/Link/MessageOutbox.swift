import DeviceLink
import PushModel

/// The custom messages of one link: what waits to leave, and what has left and is not acknowledged.
///
/// Only so many are on their way. What comes beyond stays in the store until the other end has acknowledged half of them, and is
/// looked up then.
struct MessageOutbox {
    /// What is to be looked up in the store: the oldest messages behind a position, as many as there is room for.
    struct Gap: Equatable {
        var position: Int64
        var room: Int
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
    /// Packs that are kept while it is looked up what waits; later ones will be looked up too.
    private static let packsMeanwhile = 64

    private var phase = Phase.closed
    private var leaving: [LinkBatch] = []
    private var isSending = false
    /// There are messages behind `last` that only the store has.
    private var isBehind = false
    /// Sent and not all acknowledged, in order.
    private var sent: [MessagePack] = []
    private var sentCount = 0
    private var acknowledged: Int64 = 0
    private var last: Int64 = 0

    mutating func await() {
        phase = .awaiting([])
        isBehind = false
    }

    mutating func close() { phase = .closed }

    /// * `position`: up to there the link needs `pack` and nothing else.
    /// * `isAll`: false if the store has more behind it that was looked for.
    /// - Returns: whether the caller is to take the steps.
    mutating func open(with pack: MessagePack?, after position: Int64, isAll: Bool = true) -> Bool {
        guard case .awaiting(let meanwhile) = phase else { return false }
        phase = .open
        let wasCut = isBehind
        isBehind = false
        if let pack { enqueue(pack) }
        if !isBehind { last = max(last, position) }
        if !isAll { isBehind = true }
        for pack in meanwhile { enqueue(pack) }
        if wasCut { isBehind = true }
        return begin()
    }

    /// Whether there is room again for what stayed in the store.
    var canCatchUp: Bool {
        guard case .open = phase else { return false }
        return isBehind && sentCount <= Self.capacity / 2
    }

    /// What to look up, and to open with then; nil if that is nothing.
    mutating func catchUp() -> Gap? {
        guard canCatchUp else { return nil }
        phase = .awaiting([])
        isBehind = false
        return Gap(position: last, room: Self.capacity - sentCount)
    }

    /// - Returns: whether the caller is to take the steps.
    mutating func add(_ pack: MessagePack) -> Bool {
        switch phase {
        case .closed: return false
        case .awaiting(let before):
            if isBehind || before.count == Self.packsMeanwhile {
                isBehind = true
            } else {
                phase = .awaiting(before + [pack])
            }
            return false
        case .open:
            enqueue(pack)
            return begin()
        }
    }

    private mutating func enqueue(_ whole: MessagePack) {
        guard !isBehind, let pack = whole.rest(after: last) else { return }
        guard sentCount + pack.messages.count <= Self.capacity else {
            isBehind = true
            return
        }
        leaving.append(pack.batch)
        sent.append(pack)
        sentCount += pack.messages.count
        last = pack.last
    }

    private mutating func begin() -> Bool {
        guard !isSending, !leaving.isEmpty else { return false }
        isSending = true
        return true
    }

    /// - Returns: what to send; nil if that is nothing, and the caller is done.
    mutating func next() -> [LinkBatch]? {
        guard !leaving.isEmpty else {
            isSending = false
            return nil
        }
        defer { leaving = [] }
        return leaving
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
