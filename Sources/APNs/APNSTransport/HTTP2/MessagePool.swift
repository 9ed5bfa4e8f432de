/// The messages of a connection: those of open streams, and unused ones that keep their memory for reuse.
///
/// A stream refers to its message by slot number, so the table of streams is plain numbers. There are as many slots as there
/// were streams at once (at most ``HTTP2Limits/acceptedStreams`` plus one), until ``shrink()``.
struct MessagePool {
    private(set) var messages: [HTTP2Message] = []
    /// The slots of unused messages.
    private(set) var spares: [Int32] = []

    /// Returns an empty message.
    mutating func take() -> HTTP2Message {
        if let slot = spares.popLast() { return messages[Int(slot)] }
        let message = HTTP2Message(slot: Int32(truncatingIfNeeded: messages.count))
        messages.append(message)
        return message
    }

    /// Returns the message in a slot; nil for ``HTTP2Machine/Stream/noMessage``.
    @inline(__always)
    subscript(slot: Int32) -> HTTP2Message? { messages.indices.contains(Int(slot)) ? messages[Int(slot)] : nil }

    /// Takes back a message from ``take()``, and empties it.
    mutating func giveBack(_ message: HTTP2Message) {
        // Ignores a message that was created elsewhere, or taken before ``shrink()``.
        let slot = Int(message.slot)
        guard messages.indices.contains(slot), messages[slot] === message else { return }
        message.clear()
        spares.append(message.slot)
    }

    var isEmpty: Bool { messages.isEmpty }

    /// Releases all memory; must be called when no message is in use.
    mutating func shrink() {
        messages = []
        spares = []
    }
}
