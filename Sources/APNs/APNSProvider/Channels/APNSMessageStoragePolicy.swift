/// The messages that APNs stores for devices that it cannot reach. The policy of a channel never changes.
///
/// Source: Apple, "Sending channel management requests to APNs", read October 2026.
public enum APNSMessageStoragePolicy: Int, Hashable, Sendable, CaseIterable {
    /// 0: none. Allows more pushes; their ``APNSBroadcast/expiration`` must be 0.
    case noMessageStored = 0
    /// 1: the newest message, for eight hours at most.
    case mostRecentMessageStored = 1
}
