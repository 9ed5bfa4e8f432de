/// What APNs keeps of a channel's messages for devices that it cannot reach. A channel has one for its whole life.
///
/// Source: Apple, "Sending channel management requests to APNs", read October 2026.
public enum APNSMessageStoragePolicy: Int, Hashable, Sendable, CaseIterable {
    /// 0: nothing. Allows more pushes; their ``APNSBroadcast/expiration`` has to be 0.
    case noMessageStored = 0
    /// 1: the newest, for eight hours at most.
    case mostRecentMessageStored = 1
}
