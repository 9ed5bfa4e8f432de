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
