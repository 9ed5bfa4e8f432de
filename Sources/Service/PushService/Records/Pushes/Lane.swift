package import Foundation
package import PushModel

/// The urgency of a push.
package enum DeliveryClass: Int, Hashable, Sendable {
    /// A push to few devices, sent at once; no campaign may delay it.
    case immediate = 0
    /// A push to many devices, or spread over time.
    case bulk = 1

    /// The maximum number of devices of an immediate push.
    package static let fewDevices = 500
}

/// An app's pushes of one class to one topic in one APNs environment: they form one queue, and each device receives them in that
/// order.
package struct Lane: Hashable, Sendable {
    package var destination: Destination
    package var delivery: DeliveryClass

    package var app: App.ID { destination.app }
    package var environment: APNSEnvironment { destination.environment }
    package var topic: TopicKind { destination.topic }

    package init(
        app: App.ID,
        environment: APNSEnvironment,
        topic: TopicKind = .notification,
        _ delivery: DeliveryClass
    ) {
        destination = Destination(app: app, environment: environment, topic: topic)
        self.delivery = delivery
    }
}

/// A lane with waiting chunks.
package struct WaitingLane: Hashable, Sendable {
    package var lane: Lane
    /// The time at which its first chunk is due.
    package var dueAt: Date
    package var pausedUntil: Date?
    /// Whether other owners work in the lane, and may leave nothing.
    package var isShared: Bool

    package init(lane: Lane, dueAt: Date, pausedUntil: Date?, isShared: Bool = false) {
        self.lane = lane
        self.dueAt = dueAt
        self.pausedUntil = pausedUntil
        self.isShared = isShared
    }

    /// The time at which its first chunk can be leased.
    package var startsAt: Date { max(dueAt, pausedUntil ?? dueAt) }
}
