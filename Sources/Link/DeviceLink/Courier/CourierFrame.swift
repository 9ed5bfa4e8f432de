public import PushModel

/// What a device and the gateway say to each other on the courier link: one JSON object a frame.
///
/// The device opens the link and says ``hello``. The gateway answers each ``register`` with the token of that topic,
/// then hands over what waits. The device acknowledges each push by its apns-id; one that is not acknowledged comes
/// again after the next ``hello``. Journey events travel the other way in numbered batches until they are acknowledged.
/// With ``awake(_:)`` the device says whether it sleeps, on which the gateway's handling of priorities 5 and 1 depends.
public enum CourierFrame: Hashable, Sendable {
    /// Device: who it is. Id and key are made by the device; the key is 32 random bytes in hexadecimal digits.
    ///
    /// The first hello of a device binds its id to its key: later ones are taken with the same key alone.
    case hello(device: String, key: String)
    /// Device: an app wants pushes for its bundle id, in the environment for which it was built.
    ///
    /// Sent again after each ``hello``; the same device, topic and environment has the same token until the app is removed.
    case register(topic: String, environment: APNSEnvironment)
    /// Device: the app is gone; its token is dead from now on.
    case unregister(topic: String, environment: APNSEnvironment)
    /// Device: whether it is awake; with false, pushes of priority 5 are grouped, and those of priority 1 wait.
    ///
    /// Sent whenever it changes. After each ``hello`` a device counts as awake until it says otherwise.
    case awake(Bool)
    /// Device: an app, by its bundle id, listens to a broadcast channel. The message that the channel keeps comes at once.
    ///
    /// Sent again after each ``hello``.
    case subscribe(topic: String, environment: APNSEnvironment, channel: String)
    /// Device: the app does not listen any more. Gateway: there is no such channel, or none any more.
    case unsubscribe(topic: String, environment: APNSEnvironment, channel: String)
    /// Gateway: the answer to ``register``.
    case registered(topic: String, environment: APNSEnvironment, token: DeviceToken)
    /// Gateway: a push.
    case push(CourierPush)
    /// Device: the push with this apns-id has arrived.
    case ack(apnsID: String)
    /// Device: what happened, numbered from the first event of this device on.
    case events([CourierEvent])
    /// Gateway: all events up to this number are settled. Those that were not the device's to tell were passed over.
    case eventsAck(through: Int64)
    /// Gateway: why it closes the link, for a person. The device tries again later.
    case refused(message: String)
}

/// A push on the last stretch of its road.
public struct CourierPush: Hashable, Sendable {
    public var apnsID: String
    public var topic: String
    public var environment: APNSEnvironment
    public var pushType: APNSPushType
    /// 10, 5 or 1.
    public var priority: Int
    public var collapseID: String?
    /// As the provider sent it, byte for byte.
    public var payload: [UInt8]
    /// The broadcast channel to which it was sent; nil for one to a device token.
    public var channel: String?

    public init(
        apnsID: String,
        topic: String,
        environment: APNSEnvironment,
        pushType: APNSPushType,
        priority: Int,
        collapseID: String?,
        payload: [UInt8],
        channel: String? = nil
    ) {
        self.channel = channel
        self.apnsID = apnsID
        self.topic = topic
        self.environment = environment
        self.pushType = pushType
        self.priority = priority
        self.collapseID = collapseID
        self.payload = payload
    }
}

/// A journey event on its way home.
public struct CourierEvent: Hashable, Sendable {
    public var number: Int64
    public var apnsID: String
    public var event: JourneyEvent

    public init(number: Int64, apnsID: String, event: JourneyEvent) {
        self.number = number
        self.apnsID = apnsID
        self.event = event
    }
}
