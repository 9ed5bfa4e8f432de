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
