/// What a worker takes up in a lane at one time: chunks that are sent side by side.
package struct Lease: Sendable {
    package typealias Item = (message: Message, chunk: Chunk)

    package var lane: Lane
    /// No device waits in two of them, so that the pushes to each keep their order.
    package var items: [Item]
    /// The lane was paused: this finds out whether it still has to be.
    package var isTrial: Bool

    package init(lane: Lane, items: [Item], isTrial: Bool) {
        self.lane = lane
        self.items = items
        self.isTrial = isTrial
    }
}
