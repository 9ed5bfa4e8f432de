import PushModel

/// The part of a device's record that its app learns at each login.
public struct SDKDeviceState: Hashable, Sendable {
    /// False if APNs has reported that the token is gone, or the app has sent none.
    public var hasToken: Bool
    /// Whether push is switched on.
    public var isOn: Bool
    /// The digest of the token that the service has (``PushModel/DeviceToken/digest``); another one than that of the app's own token is
    /// another phone's.
    public var tokenDigest: String?
    /// The number of the last operation with a number; the app goes on above it.
    public var sequence: Int64

    /// Creates a state from its parts.
    public init(hasToken: Bool, isOn: Bool, tokenDigest: String? = nil, sequence: Int64 = 0) {
        self.hasToken = hasToken
        self.isOn = isOn
        self.tokenDigest = tokenDigest
        self.sequence = sequence
    }

    var members: JSONObject {
        var members: JSONObject = ["has-token": .bool(hasToken), "push": .bool(isOn), "sequence": .integer(sequence)]
        members["token-digest"] = JSONValue(tokenDigest)
        return members
    }

    /// Returns nil for the frame of a service that sends no state.
    init?(_ members: JSONReader) throws(JSONProblem) {
        guard let sequence = try members.optional("sequence", .integer) else { return nil }
        self.init(
            hasToken: try members.need("has-token", .bool),
            isOn: try members.need("push", .bool),
            tokenDigest: try members.optional("token-digest", .string),
            sequence: sequence
        )
    }
}
