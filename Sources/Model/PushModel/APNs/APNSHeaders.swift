/// The header fields that tell APNs what to do with a push.
public struct APNSHeaders: Hashable, Sendable {
    /// The bundle id, with the suffix of the push type; nil leaves the header out, which only a client certificate for a single
    /// topic allows.
    public var topic: String?
    /// The value of `apns-push-type`.
    public var pushType: APNSPushType
    /// Nil leaves the header out.
    public var priority: APNSPriority?
    /// Nil leaves the header out.
    public var expiration: APNSExpiration?
    /// At most 64 bytes.
    public var collapseID: String?

    /// Creates headers. Nothing is checked before a push is sent with them.
    public init(
        topic: String?,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil
    ) {
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
    }
}

extension String {
    /// The reason why the text cannot be the value of a header field, such as `apns-collapse-id`, as the rest of a sentence about it;
    /// nil if it can.
    ///
    /// The other end of an HTTP/2 connection resets the stream of a request with such a value.
    ///
    /// Source: RFC 9110, section 5.5; RFC 9113, section 8.2.1. A tab inside is refused as well (our choice).
    package var flawAsFieldValue: String? {
        if utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return "has a control character; a header field cannot carry it"
        }
        if utf8.first == 0x20 || utf8.last == 0x20 {
            return "begins or ends with a space; a header field cannot carry it"
        }
        return nil
    }
}
