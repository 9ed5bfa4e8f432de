public import PushModel

/// The messages between a device and the gateway on the courier link: one JSON object per frame.
///
/// The device opens the link and sends `hello`. The gateway answers each `register` with the token of that topic,
/// then delivers the pushes that are waiting. The device acknowledges each push by its apns-id; unacknowledged pushes
/// are sent again after the next `register`. Journey events travel the other way in numbered batches until they are
/// acknowledged. With ``awake(_:)`` the device reports whether it is asleep, which determines how the gateway handles
/// priorities 5 and 1.
public enum CourierFrame: Hashable, Sendable {
    /// Device: identifies itself. The device generates id and key; the key is 32 random bytes in hexadecimal digits.
    ///
    /// The first hello of a device binds its id to its key; later ones are accepted only with the same key.
    case hello(device: String, key: String)
    /// Device: an app wants pushes for its bundle id, in the environment it was built for.
    ///
    /// Sent again after each `hello`; the token for a device, topic and environment stays the same until the app is
    /// removed. The topic may have a name, for one of several tokens (``CourierTopic``).
    case register(topic: String, environment: APNSEnvironment)
    /// Device: the app was removed; its token is no longer valid.
    case unregister(topic: String, environment: APNSEnvironment)
    /// Device: whether it is awake; while false, pushes of priority 5 are grouped, and those of priority 1 wait.
    ///
    /// Sent whenever it changes. After each `hello` a device counts as awake until it reports otherwise.
    case awake(Bool)
    /// Device: an app, by its bundle id, subscribes to a broadcast channel. The channel's stored message is delivered at
    /// once, unless the device has acknowledged it.
    ///
    /// The gateway stores the subscription and resumes it after each `hello`; sent again, it has no effect.
    case subscribe(topic: String, environment: APNSEnvironment, channel: String)
    /// Device: the app ends its subscription. Gateway: the channel does not exist, or no longer exists.
    case unsubscribe(topic: String, environment: APNSEnvironment, channel: String)
    /// Gateway: the answer to `register`.
    case registered(topic: String, environment: APNSEnvironment, token: DeviceToken)
    /// Gateway: a push.
    case push(CourierPush)
    /// Device: the push with this apns-id has arrived.
    case ack(apnsID: String)
    /// Device: its journey events, numbered from its first event on.
    case events([CourierEvent])
    /// Gateway: all events up to this number are settled. Events that the device may not report were ignored.
    case eventsAck(through: Int64)
    /// Gateway: the reason for closing the link, in plain language. The device tries again later.
    case refused(message: String)
}
