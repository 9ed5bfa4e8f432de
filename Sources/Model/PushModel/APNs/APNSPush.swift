/// A push to one device, as sent to APNs.
public struct APNSPush: Hashable, Sendable {
    /// A UUID in the form 8-4-4-4-12; identifies the push from the service to the device.
    public var id: String
    /// The device token.
    public var token: DeviceToken
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
    /// The payload, JSON in UTF-8.
    public var payload: [UInt8]

    /// Creates a push. Nothing is checked before it is sent.
    public init(
        id: String,
        token: DeviceToken,
        topic: String?,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil,
        payload: [UInt8]
    ) {
        self.id = id
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.payload = payload
    }
}
