/// A request or an answer as it arrived: its fields and one small body.
///
/// An object, because its memory is passed on from message to message: it is good until it is given back to the connection
/// (``HTTP2Machine/giveBack(_:)``).
///
/// Its properties are not guarded against use while they change. A message is filled by its connection alone, and then read
/// by one who answers it; it is not Sendable, and nothing that fills it calls out.
package final class HTTP2Message {
    @safe @exclusivity(unchecked) package internal(set) var fields = FieldBlock()
    /// Of an answer; 0 in a request.
    @safe @exclusivity(unchecked) package internal(set) var status = 0
    /// At most ``HTTP2Limits/bodyBytes`` of it.
    @safe @exclusivity(unchecked) var body: [UInt8] = []
    /// How long the body was, also when it was too long to keep.
    @safe @exclusivity(unchecked) var bodyBytes = 0
    /// The header list was larger than ``HTTP2Limits/headerListBytes``; its fields are not kept.
    @safe @exclusivity(unchecked) package internal(set) var isTooLarge = false

    /// Its place in the connection's ``MessagePool``.
    let slot: Int32

    init(slot: Int32) { self.slot = slot }

    /// A message by itself.
    package convenience init() { self.init(slot: -1) }

    /// The octets that ranges speak of: names and values one after another.
    package var octets: [UInt8] { fields.bytes }

    // Other modules ask by calls, which stay calls: what they read of a property themselves would be guarded.

    /// The body; at most ``HTTP2Limits/bodyBytes`` of it.
    @inline(never)
    package var keptBody: [UInt8] { body }

    /// How long the body was, also when it was too long to keep.
    @inline(never)
    package var bodyCount: Int { bodyBytes }

    // The block is large for a value, so it is asked where it lies and not handed out.

    /// Where the first value of that name stands in ``octets``.
    @inline(never)
    package func range(of name: FieldName) -> Range<Int>? { fields.range(of: name) }

    /// Sixteen octets of the first value of that name, from the one numbered `start` on, as two numbers; nil if it has fewer.
    @inline(never)
    package func sixteenOctets(of name: FieldName, from start: Int) -> (UInt64, UInt64)? {
        fields.sixteenOctets(of: name, from: start)
    }

    /// Whether one of the names occurs more than once.
    @inline(never)
    package func isRepeated(_ names: FieldNameSet) -> Bool { fields.isRepeated(names) }

    /// The first value of that name as text; bytes that are not UTF-8 are replaced.
    @inline(never)
    package func text(of name: FieldName) -> String? {
        fields.range(of: name).map { String(decoding: fields.bytes[$0], as: UTF8.self) }
    }

    var heldBytes: Int { fields.heldBytes + body.count }

    /// Memory above this is not kept for use again: ``HTTP2Limits/bodyBytes`` as it is by default, and what an array adds.
    private static let keptBodyBytes = 8192 + 64

    /// Empties the message and keeps its memory, as far as a usual one needs it.
    func clear() {
        fields.clear()
        status = 0
        if body.capacity > Self.keptBodyBytes { body = [] }
        body.removeAll(keepingCapacity: true)
        bodyBytes = 0
        isTooLarge = false
    }
}

/// What is answered to a request, without an allocation in the usual case.
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

    /// How many fields there is room for.
    static let room = 4

    package var status: Int
    /// One DATA frame, with END_STREAM; without a body HEADERS itself has it.
    package var body: [UInt8]
    private(set) var octets: [UInt8] = []
    private(set) var fields = InlineArray<4, Field?>(repeating: nil)
    private(set) var count = 0
    /// Whether a field has its value from the request.
    private(set) var quotesRequest = false

    package init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// Begins another answer in its place.
    mutating func begin(status: Int) {
        self.status = status
        if !body.isEmpty { body = [] }
        if !octets.isEmpty { octets.removeAll(keepingCapacity: true) }
        count = 0
        quotesRequest = false
    }

    /// Adds a field; there is room for four.
    package mutating func add(_ name: FieldName, _ value: Value, _ indexing: FieldIndexing = .name) {
        precondition(count < Self.room, "An answer has room for \(Self.room) fields.")
        fields[count] = Field(name: name, value: value, indexing: indexing)
        count += 1
        if case .ofRequest = value { quotesRequest = true }
    }

    /// Adds a field with a value of its own; there is room for four.
    package mutating func add(_ name: FieldName, _ value: [UInt8], _ indexing: FieldIndexing = .name) {
        octets += value
        add(name, .own(octets.count - value.count..<octets.count), indexing)
    }

    /// The same answer with copies of what it takes from the request, so that it can be given later.
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
/// Compared by identity: make one for each set of values, and keep it.
package final class HTTP2RequestHead: Sendable {
    package let method: String
    /// In the order of the wire, after the pseudo-headers; names in lower case.
    package let fields: [(name: String, value: String)]

    package init(method: String = "POST", fields: [(name: String, value: String)]) {
        self.method = method
        self.fields = fields
    }
}
