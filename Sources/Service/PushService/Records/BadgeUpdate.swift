/// The badges for the devices of one chunk, stored before sending.
package struct BadgeUpdate: Sendable {
    package var chunk: Chunk.ID
    /// The fencing number of the lease; under another one nothing is written.
    package var fence: Int64
    package var badges: [(DeviceOrdinal, Int)]
    /// The place before which all badges are then in the registry.
    package var prepared: Int

    package init(_ chunk: Chunk, badges: [(DeviceOrdinal, Int)], prepared: Int) {
        self.chunk = chunk.id
        fence = chunk.fence
        self.badges = badges
        self.prepared = prepared
    }
}
