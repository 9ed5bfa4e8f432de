/// A copy of a received message, which outlives it. Nothing is decoded until somebody reads it.
package struct HTTP2MessageCopy: Sendable {
    private var fields = FieldBlock()
    private var body: [UInt8] = []
    private var bodyBytes = 0

    package init() {}

    /// Copies a message, in the same memory if it is large enough.
    @inline(never)
    package mutating func replace(with message: HTTP2Message) {
        fields.replaceAll(with: message.fields)
        body.replaceAll(with: message.body.span)
        bodyBytes = message.bodyBytes
    }

    /// The memory of the copied octets.
    package var octetCount: Int { fields.bytes.count + body.count }

    /// Creates a message like the one that was copied.
    package var message: HTTP2Message {
        let message = HTTP2Message()
        message.fields = fields
        message.body = body
        message.bodyBytes = bodyBytes
        return message
    }
}
