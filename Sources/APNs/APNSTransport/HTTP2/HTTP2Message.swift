/// A received request or answer: its fields and one small body.
///
/// A class, because its memory is reused from message to message: it is valid until it is returned to the connection
/// (``HTTP2Machine/giveBack(_:)``).
///
/// Its properties are not guarded against overlapping access. Only its connection fills a message, and then its answerer
/// reads it; it is not Sendable, and nothing that fills it calls out.
package final class HTTP2Message {
    @safe @exclusivity(unchecked) package internal(set) var fields = FieldBlock()
    /// The status of an answer; 0 in a request.
    @safe @exclusivity(unchecked) package internal(set) var status = 0
    /// The first octets of the body, at most ``HTTP2Limits/bodyBytes``.
    @safe @exclusivity(unchecked) var body: [UInt8] = []
    /// The length of the body, even if it was too long to keep.
    @safe @exclusivity(unchecked) var bodyBytes = 0
    /// Whether the header list was larger than ``HTTP2Limits/headerListBytes``; its fields are not stored.
    @safe @exclusivity(unchecked) package internal(set) var isTooLarge = false

    /// The slot in the connection's ``MessagePool``.
    let slot: Int32

    init(slot: Int32) { self.slot = slot }

    /// Creates a message outside any pool.
    package convenience init() { self.init(slot: -1) }

    /// The octets that ranges refer to: names and values, concatenated.
    package var octets: [UInt8] { fields.bytes }

    // Other modules read through calls that are not inlined: direct access to a property would be guarded.

    /// The body; at most ``HTTP2Limits/bodyBytes`` of it.
    @inline(never)
    package var keptBody: [UInt8] { body }

    /// The length of the body, even if it was too long to keep.
    @inline(never)
    package var bodyCount: Int { bodyBytes }

    // The block is large for a value, so it is queried in place and not returned.

    /// Returns the range of the first value of that name in ``octets``.
    @inline(never)
    package func range(of name: FieldName) -> Range<Int>? { fields.range(of: name) }

    /// Whether one of the names occurs more than once.
    @inline(never)
    package func isRepeated(_ names: FieldNameSet) -> Bool { fields.isRepeated(names) }

    /// Returns the first value of that name as text; bytes that are not UTF-8 are replaced.
    @inline(never)
    package func text(of name: FieldName) -> String? {
        fields.range(of: name).map { String(decoding: fields.bytes[$0], as: UTF8.self) }
    }

    var heldBytes: Int { fields.heldBytes + body.count }

    /// The limit of memory that is kept for reuse: the default ``HTTP2Limits/bodyBytes`` plus the overhead of an array.
    private static let keptBodyBytes = 8192 + 64

    /// Empties the message and keeps as much memory as a usual one needs.
    func clear() {
        fields.clear()
        status = 0
        if body.capacity > Self.keptBodyBytes { body = [] }
        body.removeAll(keepingCapacity: true)
        bodyBytes = 0
        isTooLarge = false
    }
}

/// The answer to a request, without an allocation in the usual case.
package struct HTTP2Answer: Sendable {
    /// The value of a field.
    package enum Value: Sendable {
        /// A part of the request's ``FieldBlock/bytes``, byte for byte. Only for an answer that is given at once.
        case ofRequest(Range<Int>)
        /// A UUID in its usual form, in lower case (RFC 9562, section 4).
        case uuid(high: UInt64, low: UInt64)
        /// A part of the answer's own octets.
        case own(Range<Int>)
    }

    struct Field: Sendable {
        var name: FieldName
        var value: Value
        var indexing: FieldIndexing
    }

    /// The largest number of fields.
    static let room = 4

    package var status: Int
    /// The body in one DATA frame, with END_STREAM; without a body, HEADERS itself has the flag.
    package var body: [UInt8]
    private(set) var octets: [UInt8] = []
    private(set) var fields = InlineArray<4, Field?>(repeating: nil)
    private(set) var count = 0
    /// Whether a field takes its value from the request.
    private(set) var quotesRequest = false

    package init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// Resets it to begin another answer in place.
    mutating func begin(status: Int) {
        self.status = status
        if !body.isEmpty { body = [] }
        if !octets.isEmpty { octets.removeAll(keepingCapacity: true) }
        count = 0
        quotesRequest = false
    }

    /// Adds a field; there is room for four.
    package mutating func add(_ name: FieldName, _ value: Value, indexing: FieldIndexing = .name) {
        precondition(count < Self.room, "An answer has room for \(Self.room) fields.")
        fields[count] = Field(name: name, value: value, indexing: indexing)
        count += 1
        if case .ofRequest = value { quotesRequest = true }
    }

    /// Adds a field with its own value; there is room for four.
    package mutating func add(_ name: FieldName, _ value: [UInt8], indexing: FieldIndexing = .name) {
        octets += value
        add(name, .own(octets.count - value.count..<octets.count), indexing: indexing)
    }

    /// Returns the same answer with copies of the request's values, so that it can be given later.
    package func detached(from request: HTTP2Message) -> HTTP2Answer {
        var answer = self
        for index in 0..<count {
            guard case .ofRequest(let range) = fields[index]?.value else { continue }
            let start = answer.octets.count
            answer.octets += request.octets[range]
            answer.fields[index]?.value = .own(start..<answer.octets.count)
        }
        answer.quotesRequest = false
        return answer
    }
}

/// The part of a request that many have in common, encoded once for each connection.
///
/// Compared by identity: create one for each set of values, and keep it.
package final class HTTP2RequestHead: Sendable {
    package let method: String
    /// The fields in the order of the wire, after the pseudo-headers; names in lower case.
    package let fields: [(name: String, value: String)]

    package init(method: String = "POST", fields: [(name: String, value: String)]) {
        self.method = method
        self.fields = fields
    }
}

/// A copy of a received message, which outlives it. Nothing is decoded until somebody reads it.
package struct HTTP2MessageCopy: Sendable {
    private var fields = FieldBlock()
    private var body: [UInt8] = []
    private var bodyBytes = 0

    package init() {}

    /// Copies a message, in the same memory if it is large enough.
    ///
    /// - Returns: the memory of the copied octets.
    @inline(never)
    package mutating func replace(with message: HTTP2Message) -> Int {
        fields.replaceAll(with: &message.fields)
        body.replaceAll(with: message.body.span)
        bodyBytes = message.bodyBytes
        return fields.bytes.count + body.count
    }

    /// Creates a message like the one that was copied.
    package var message: HTTP2Message {
        let message = HTTP2Message()
        message.fields = fields
        message.body = body
        message.bodyBytes = bodyBytes
        return message
    }
}

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
