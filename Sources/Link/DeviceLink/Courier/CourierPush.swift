public import PushModel

/// A push as the gateway delivers it to a device.
public struct CourierPush: Hashable, Sendable {
    /// The apns-id of the push.
    public var apnsID: String
    /// The topic that the push was sent to, with the name of the token if it has one (``CourierTopic``).
    public var topic: String
    /// The APNs environment of the push.
    public var environment: APNSEnvironment
    /// The value of `apns-push-type`, or the type whose suffix the topic has; nil for a push to an app's own topic without the
    /// header.
    public var pushType: APNSPushType?
    /// 10, 5 or 1.
    public var priority: Int
    /// The value of `apns-collapse-id`; nil without one.
    public var collapseID: String?
    /// The payload as the provider sent it, byte for byte.
    public var payload: [UInt8]
    /// The broadcast channel that it was sent to; nil for a push to a device token.
    public var channel: String?
    /// The time after which the device no longer acts on it, if it holds it; nil for a push that is not stored.
    public var expiration: APNSExpiration?

    /// Creates a push from its parts.
    public init(
        apnsID: String,
        topic: String,
        environment: APNSEnvironment,
        pushType: APNSPushType?,
        priority: Int,
        collapseID: String?,
        payload: [UInt8],
        channel: String? = nil,
        expiration: APNSExpiration? = nil
    ) {
        self.channel = channel
        self.expiration = expiration
        self.apnsID = apnsID
        self.topic = topic
        self.environment = environment
        self.pushType = pushType
        self.priority = priority
        self.collapseID = collapseID
        self.payload = payload
    }
}
