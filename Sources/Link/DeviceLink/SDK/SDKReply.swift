import PushModel

/// The service's answer to a request of the SDK.
public struct SDKReply: Hashable, Sendable {
    /// 0, or a client result code of the JPush SDK.
    public var code: Int
    /// The reason for a failure, in plain language.
    public var message: String?
    /// The tags that a request asked for.
    public var tags: [String]?
    /// The alias that a request asked for.
    public var alias: String?
    /// The answer to ``SDKRequest/checkTag(_:)``.
    public var isBound: Bool?
    /// The answer to ``SDKRequest/pushStatus``.
    public var isOn: Bool?
    /// The topics of the app by name, and whether the device declines each.
    public var topics: [String: Bool]?

    /// Creates an answer.
    public init(
        code: Int,
        message: String? = nil,
        tags: [String]? = nil,
        alias: String? = nil,
        isBound: Bool? = nil,
        isOn: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.tags = tags
        self.alias = alias
        self.isBound = isBound
        self.isOn = isOn
    }
}
