/// Requests that are submitted together: their octets in one array, so that a request costs no allocation.
package struct HTTP2RequestBatch: Sendable {
    package struct Request: Sendable {
        /// The tag that is returned with the outcome.
        package var tag: UInt64
        /// The index in ``HTTP2RequestBatch/heads``.
        package var head: Int
        /// The range in ``HTTP2RequestBatch/bytes``.
        package var path: Range<Int>
        /// The range in ``HTTP2RequestBatch/fields``.
        package var fields: Range<Int>
        /// The range in ``HTTP2RequestBatch/bytes``, which many requests may share.
        package var body: Range<Int>

        package init(tag: UInt64, head: Int, path: Range<Int>, fields: Range<Int>, body: Range<Int>) {
            self.tag = tag
            self.head = head
            self.path = path
            self.fields = fields
            self.body = body
        }
    }

    package var bytes: [UInt8] = []
    package var fields: [HTTP2BatchField] = []
    package var heads: [HTTP2RequestHead] = []
    package var requests: [Request] = []

    package init() {}

    /// Appends octets and returns their range.
    package mutating func append(_ new: [UInt8]) -> Range<Int> {
        let start = bytes.count
        bytes += new
        return start..<bytes.count
    }

    /// Stores the value of a field, and returns the field.
    package mutating func field(_ name: FieldName, _ value: String) -> HTTP2BatchField {
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        return HTTP2BatchField(name, start..<bytes.count)
    }
}

/// The outcomes of requests that one read has brought.
package struct HTTP2Outcomes: Sendable {
    package struct Outcome: Sendable {
        package var tag: UInt64
        /// The status; nil if there is no answer, and then ``HTTP2Outcomes/failure(_:)`` gives the reason.
        package var status: Int?
        var fate: APNSStreamFailure.Fate
        /// The index in ``HTTP2Outcomes/reasons``.
        var reason: Int
        /// The range in ``HTTP2Outcomes/fields``.
        var fields: Range<Int>
        /// The range in ``HTTP2Outcomes/bytes``.
        package var body: Range<Int>
    }

    package private(set) var outcomes: [Outcome] = []
    package private(set) var bytes: [UInt8] = []
    private var fields: [HTTP2BatchField] = []
    private var reasons: [Reason] = []

    private struct Reason: Equatable {
        var text: String
        var reset: HTTP2ErrorCode?
    }

    package init() {}

    /// Returns the reason why a request got no answer.
    package func failure(_ outcome: Outcome) -> APNSStreamFailure {
        let reason = reasons[outcome.reason]
        return APNSStreamFailure(outcome.fate, reason.text, reset: reason.reset)
    }

    /// Returns the first value of a field.
    package func value(_ name: FieldName, of outcome: Outcome) -> ArraySlice<UInt8>? {
        for field in fields[outcome.fields] where field.name == name { return bytes[field.value] }
        return nil
    }

    package func answer(_ outcome: Outcome) -> APNSAnswer {
        let headers = fields[outcome.fields].map { field in
            let name = field.name == .other ? Array(bytes[field.nameText]) : FieldCatalog.shared.bytes(of: field.name)
            return (
                name: String(decoding: name, as: UTF8.self), value: String(decoding: bytes[field.value], as: UTF8.self)
            )
        }
        return APNSAnswer(status: outcome.status ?? 0, headers: headers, body: Array(bytes[outcome.body]))
    }

    @inline(__always)
    mutating func add(_ tag: UInt64, _ message: HTTP2Message) {
        let first = fields.count
        if message.status == 200, tag >> 63 == 0 {
            // Callers that send many requests need no more than that.
            outcomes.append(
                Outcome(tag: tag, status: 200, fate: .undecided, reason: 0, fields: first..<first, body: 0..<0)
            )
            return
        }
        let fieldBytes = message.fields.bytes
        let all = fieldBytes.span
        for field in message.fields.fields where field.name != .status {
            let name = copy(all.extracting(field.nameRange))
            fields.append(HTTP2BatchField(field.name, nameText: name, copy(all.extracting(field.valueRange))))
        }
        let bodyBytes = message.body
        let body = copy(bodyBytes.span)
        outcomes.append(
            Outcome(
                tag: tag,
                status: message.status,
                fate: .undecided,
                reason: 0,
                fields: first..<fields.count,
                body: body
            )
        )
    }

    mutating func fail(
        _ tag: UInt64,
        _ fate: APNSStreamFailure.Fate,
        because text: String,
        reset: HTTP2ErrorCode? = nil
    ) {
        let reason = Reason(text: text, reset: reset)
        if reasons.last != reason { reasons.append(reason) }
        outcomes.append(
            Outcome(tag: tag, status: nil, fate: fate, reason: reasons.count - 1, fields: 0..<0, body: 0..<0)
        )
    }

    @inline(__always)
    private mutating func copy(_ part: Span<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes.append(part)
        return start..<bytes.count
    }
}

/// A field of a request or an outcome; its octets are in the batch.
package struct HTTP2BatchField: Hashable, Sendable {
    package var name: FieldName
    /// The range of the name, if it is in no catalog.
    package var nameText: Range<Int>
    /// The range of the value.
    package var value: Range<Int>

    package init(_ name: FieldName, nameText: Range<Int> = 0..<0, _ value: Range<Int>) {
        self.name = name
        self.nameText = nameText
        self.value = value
    }
}
