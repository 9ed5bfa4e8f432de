/// Some devices of a notification, and what became of it on each.
package struct NotificationReach: Sendable {
    /// The devices, in ascending order; the sets have places in this list.
    package var ordinals: [DeviceOrdinal]
    package var sent: PlaceSet
    package var received: PlaceSet
    package var displayed: PlaceSet
    package var clicked: PlaceSet

    package init(
        ordinals: [DeviceOrdinal],
        sent: PlaceSet,
        received: PlaceSet = PlaceSet(),
        displayed: PlaceSet = PlaceSet(),
        clicked: PlaceSet = PlaceSet()
    ) {
        self.ordinals = ordinals
        self.sent = sent
        self.received = received
        self.displayed = displayed
        self.clicked = clicked
    }
}
