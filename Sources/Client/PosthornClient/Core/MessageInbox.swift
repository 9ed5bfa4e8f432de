/// The custom messages between the service and the app's reader. Nothing is acknowledged before the reader has taken it.
struct MessageInbox: Hashable, Sendable {
    /// The reader's wish.
    enum Demand: Hashable, Sendable {
        /// There is no reader: messages stay with the service.
        case noReader
        /// The reader is busy, or has to be told of a message.
        case nothing
        /// The reader was told that a message waits.
        case offered
        /// The reader waits for one message.
        case one
        /// The reader takes each message at once.
        case all
    }

    /// The number of messages that wait for the reader; further ones stay with the service, which sends no more on a link.
    static let most = 1000

    var demand = Demand.noReader {
        didSet { if demand == .noReader { forget() } }
    }
    /// The position of the last message that the reader has taken.
    var position: Int64?
    private(set) var waiting: [CustomMessage] = []
    /// The position after the messages that wait, if it is another one than the last message's.
    private var end: Int64?

    /// Takes a message in, unless it was received before.
    ///
    /// - Returns: whether the reader had it before, so that the service has not heard of that.
    mutating func receive(_ message: CustomMessage) -> Bool {
        if message.position <= position ?? .min { return true }
        guard message.position > waiting.last?.position ?? .min, waiting.count < Self.most, demand != .noReader else {
            return false
        }
        waiting.append(message)
        return false
    }

    /// Gives up the messages that wait: they are of an earlier identity, or come again.
    mutating func forget() {
        waiting = []
        end = nil
    }

    /// The messages of an answer end here; those that cannot be read are passed over.
    mutating func ends(at position: Int64?) { end = position }

    /// Takes the next message out, if the reader wants one.
    mutating func take() -> CustomMessage? {
        guard !waiting.isEmpty, demand == .one || demand == .all else { return nil }
        if demand == .one { demand = .nothing }
        let message = waiting.removeFirst()
        position = message.position
        return message
    }

    /// Moves to the end of the last answer, once all of its messages are taken.
    ///
    /// - Returns: whether the position is another one.
    mutating func passEnd() -> Bool {
        guard waiting.isEmpty, let end, end > position ?? .min else { return false }
        position = end
        return true
    }

    /// Returns the message of which the reader has to be told.
    mutating func offer() -> CustomMessage? {
        guard let first = waiting.first, demand == .nothing else { return nil }
        demand = .offered
        return first
    }
}
