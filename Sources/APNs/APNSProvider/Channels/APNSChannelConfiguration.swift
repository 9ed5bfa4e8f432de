public import PushModel

/// The configuration of a channel at APNs.
public struct APNSChannelConfiguration: Hashable, Sendable {
    /// The storage policy, which never changes.
    public var messageStoragePolicy: APNSMessageStoragePolicy
    /// The push type. Channels carry only Live Activities so far; APNs spells it `LiveActivity` here.
    public var pushType: APNSPushType

    /// Creates a configuration.
    public init(messageStoragePolicy: APNSMessageStoragePolicy, pushType: APNSPushType = .liveactivity) {
        self.messageStoragePolicy = messageStoragePolicy
        self.pushType = pushType
    }
}

extension APNSChannelConfiguration {
    /// The configuration as a request body.
    var bytes: [UInt8] {
        let spelling = pushType == .liveactivity ? Self.liveActivity : pushType.rawValue
        let object: JSONObject = [
            "message-storage-policy": .number(messageStoragePolicy.rawValue), "push-type": .string(spelling),
        ]
        return JSONValue.object(object).bytes
    }

    /// Reads the body of an answer; nil if it is anything else.
    init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue(parsing: body))?.object,
            let policy = object["message-storage-policy"]?.integer.flatMap(Int.init(exactly:))
                .flatMap(APNSMessageStoragePolicy.init(rawValue:)),
            let type = object["push-type"]?.string
        else { return nil }
        messageStoragePolicy = policy
        pushType = APNSPushType(rawValue: type.lowercased())
    }

    private static let liveActivity = "LiveActivity"
}

/// The id of a broadcast channel, assigned by APNs: base64, of no fixed length.
///
/// Random, not shared between the environments, and permanently invalid once the channel is deleted.
public struct APNSChannelID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }
}

/// The messages that APNs stores for devices that it cannot reach. The policy of a channel never changes.
///
/// Source: Apple, "Sending channel management requests to APNs", read October 2026.
public enum APNSMessageStoragePolicy: Int, Hashable, Sendable, CaseIterable {
    /// 0: none. Allows more pushes; their ``APNSBroadcast/expiration`` must be 0.
    case noMessageStored = 0
    /// 1: the newest message, for eight hours at most.
    case mostRecentMessageStored = 1
}
