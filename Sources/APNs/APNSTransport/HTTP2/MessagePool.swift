/// The messages of a connection: those of open streams, and those that are done with and keep their memory for the next.
///
/// A stream names its message by the number of its slot, so that the table of streams is plain numbers. There are as many
/// slots as there were streams at once (at most ``HTTP2Limits/acceptedStreams``, and one), until ``shrink()``.
struct MessagePool {
    private(set) var messages: [HTTP2Message] = []
    /// The slots of messages that are not in use.
    private(set) var spares: [Int32] = []

    /// An empty message.
    mutating func take() -> HTTP2Message {
        if let slot = spares.popLast() { return messages[Int(slot)] }
        let message = HTTP2Message(slot: Int32(truncatingIfNeeded: messages.count))
        messages.append(message)
        return message
    }

    /// The message in a slot; nil for ``HTTP2Machine/Stream/noMessage``.
    @inline(__always)
    subscript(slot: Int32) -> HTTP2Message? { messages.indices.contains(Int(slot)) ? messages[Int(slot)] : nil }

    /// Takes a message back that ``take()`` gave, and empties it.
    mutating func giveBack(_ message: HTTP2Message) {
        // Not one that was made elsewhere, or given before ``shrink()``.
        let slot = Int(message.slot)
        guard messages.indices.contains(slot), messages[slot] === message else { return }
        message.clear()
        spares.append(message.slot)
    }

    var isEmpty: Bool { messages.isEmpty }

    /// Gives all memory back; to be called when no message is in use.
    mutating func shrink() {
        messages = []
        spares = []
    }
}
