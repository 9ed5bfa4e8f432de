/// The devices of a chunk, and what became of the push on each.
package struct ChunkReach: Sendable {
    /// `send`, `message` or `inApp`.
    package var kind: Chunk.Kind
    /// The devices, in ascending order; the sets have places in this list.
    package var ordinals: [DeviceOrdinal]
    package var sent: PlaceSet
    package var received: PlaceSet
    package var displayed: PlaceSet
    package var clicked: PlaceSet

    package init(
        kind: Chunk.Kind,
        ordinals: [DeviceOrdinal],
        sent: PlaceSet,
        received: PlaceSet = PlaceSet(),
        displayed: PlaceSet = PlaceSet(),
        clicked: PlaceSet = PlaceSet()
    ) {
        self.kind = kind
        self.ordinals = ordinals
        self.sent = sent
        self.received = received
        self.displayed = displayed
        self.clicked = clicked
    }
}
