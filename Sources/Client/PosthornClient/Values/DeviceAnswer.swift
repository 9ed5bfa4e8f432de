/// The service's answer to a ``DeviceOperation``; the members depend on it.
public struct DeviceAnswer: Hashable, Sendable {
    /// The tags of the call, or all tags of the device.
    public var tags: [String]?
    /// The alias of the device.
    public var alias: String?
    /// Whether the device has the tag.
    public var isBound: Bool?
    /// Whether pushes are switched on.
    public var isOn: Bool?
    /// The topics of the app by name, with whether the user declines them.
    public var topics: [String: Bool]?

    /// Creates an answer.
    public init(tags: [String]? = nil, alias: String? = nil, isBound: Bool? = nil, isOn: Bool? = nil) {
        self.tags = tags
        self.alias = alias
        self.isBound = isBound
        self.isOn = isOn
    }
}

extension DeviceAnswer {
    /// Reads the members of an answer, or of a reply on the link.
    init(_ object: [String: Any]) {
        self.init(
            tags: object["tags"] as? [String],
            alias: object["alias"] as? String,
            isBound: object["bound"] as? Bool,
            isOn: object["on"] as? Bool
        )
        topics = object["topics"] as? [String: Bool]
    }
}
