public import PushModel

/// A broadcast channel of an app, as a device subscribes to it.
public struct CourierChannel: Hashable, Sendable {
    /// The app's bundle id.
    public var topic: String
    /// The environment of the channel. Channels are not shared between environments.
    public var environment: APNSEnvironment
    /// The channel id that APNs assigned: base64, of no fixed length.
    public var id: String

    /// Creates a channel from the bundle id of its app, its environment and its id.
    public init(topic: String, environment: APNSEnvironment, id: String) {
        self.topic = topic
        self.environment = environment
        self.id = id
    }

    /// A fixed order, so that frames about several channels are sent in the same order each time.
    static func precedes(_ one: Self, _ other: Self) -> Bool {
        (one.topic, one.environment.rawValue, one.id) < (other.topic, other.environment.rawValue, other.id)
    }

    /// The frame that subscribes a device.
    var subscribe: CourierFrame { .subscribe(topic: topic, environment: environment, channel: id) }

    /// The frame that ends a subscription.
    var unsubscribe: CourierFrame { .unsubscribe(topic: topic, environment: environment, channel: id) }
}
