import DeviceLink
import PushModel

/// The custom messages of one link: those waiting to be sent, and those sent but not acknowledged.
///
/// The number in flight is limited. Further messages stay in the store until the device has acknowledged half of them, and are then
/// read from it.
struct MessageOutbox {
    /// A read from the store: the oldest messages after a position, as many as there is room for.
    struct Gap: Equatable {
        var position: Int64
        var room: Int
    }

    private enum Phase {
        /// The link takes no messages.
        case closed
        /// The messages waiting for the device are still being read.
        case awaiting([MessagePack])
        case open
    }

    /// The maximum number of messages in flight.
    static let capacity = 1000
    /// The packs kept while waiting messages are being read; later packs are read from the store as well.
    private static let packsMeanwhile = 64

    private var phase = Phase.closed
    private var leaving: [LinkBatch] = []
    private var isSending = false
    /// Whether messages after `last` are only in the store.
    private var isBehind = false
    /// Packs that were sent and not fully acknowledged, in order.
    private var sent: [MessagePack] = []
    private var sentCount = 0
    private var acknowledged: Int64 = 0
    private var last: Int64 = 0

    mutating func await() {
        phase = .awaiting([])
        isBehind = false
    }

    mutating func close() { phase = .closed }

    /// Opens the outbox with the messages that were waiting, and returns whether the caller has to send. The link needs
    /// nothing but `pack` up to the position; the store may have more messages after it.
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

    /// Whether there is room again for messages that stayed in the store.
    var canCatchUp: Bool {
        guard case .open = phase else { return false }
        return isBehind && sentCount <= Self.capacity / 2
    }

    /// Returns the read from the store to reopen with; nil if there is none.
    mutating func catchUp() -> Gap? {
        guard canCatchUp else { return nil }
        phase = .awaiting([])
        isBehind = false
        return Gap(position: last, room: Self.capacity - sentCount)
    }

    /// Adds a pack.
    ///
    /// - Returns: whether the caller has to send.
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

    /// Takes the batches to send.
    ///
    /// - Returns: the batches; nil if there are none and the caller is done.
    mutating func next() -> [LinkBatch]? {
        guard !leaving.isEmpty else {
            isSending = false
            return nil
        }
        defer { leaving = [] }
        return leaving
    }

    /// Removes acknowledged messages.
    ///
    /// - Returns: the newly acknowledged messages; nil if there are none up to this position.
    mutating func acknowledge(_ position: Int64) -> (through: Int64, messages: [MessageID])? {
        var through = acknowledged
        var messages: [MessageID] = []
        for pack in sent {
            guard pack.first <= position else { break }
            let packed = pack.messages
            for place in packed.indices
            where packed[place].position > acknowledged && packed[place].position <= position {
                messages.append(packed[place].logged)
                through = packed[place].position
            }
        }
        guard !messages.isEmpty else { return nil }
        acknowledged = through
        sentCount -= messages.count
        sent.removeFirst(sent.prefix { $0.last <= through }.count)
        return (through, messages)
    }
}

/// Custom messages sent over a link together, in ascending order of position; shared by all links that receive the same ones.
final class MessagePack: Sendable {
    /// The messages, at least one.
    let messages: [EncodedMessage]
    let batch: LinkBatch

    init?(_ messages: [EncodedMessage]) {
        guard !messages.isEmpty else { return nil }
        self.messages = messages
        batch = LinkBatch(utf8: messages.map(\.utf8))
    }

    var first: Int64 { messages[0].position }
    var last: Int64 { messages[messages.count - 1].position }

    /// The messages after a position; nil if there are none.
    func rest(after position: Int64) -> MessagePack? {
        position < first ? self : MessagePack(messages.filter { $0.position > position })
    }
}

/// A custom message encoded for links.
struct EncodedMessage: Sendable {
    var position: Int64
    /// The id under which the log stores it: the first message of its batch, or the message itself.
    var logged: MessageID
    /// The encoded frame.
    var utf8: [UInt8]

    init(_ message: MessageID, _ content: CustomMessage, position: Int64, logged: MessageID) {
        self.position = position
        self.logged = logged
        utf8 = SDKMessage.utf8(position: position, messageID: message.number, content)
    }
}
