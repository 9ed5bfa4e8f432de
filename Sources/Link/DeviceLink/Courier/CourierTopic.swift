/// A topic as a device registers it: the topic of a push, and the name of one of several tokens of that topic.
///
/// A device that needs more than one token of a topic registers each under a name of its own, which follows the topic after a slash:
/// `com.example.app.push-type.liveactivity/NAME`. The topic in a provider's request has no name; a push that the gateway passes to the
/// device has that of the token it was sent to. Bundle ids contain no slash.
public struct CourierTopic: Hashable, Sendable {
    /// The longest text in octets that a gateway accepts.
    public static let limit = CourierLimits.topic

    /// The topic of a push.
    public var topic: String
    /// The name of the token; nil for the only token of the topic.
    public var name: String?

    /// Creates a topic from its parts.
    public init(_ topic: String, name: String?) {
        self.topic = topic
        self.name = name
    }

    /// Reads the text of a frame: the name follows the first slash.
    public init(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        topic = String(parts[0])
        name = parts.count > 1 ? String(parts[1]) : nil
    }

    /// The text in frames.
    public var text: String { name.map { "\(topic)/\($0)" } ?? topic }
}
