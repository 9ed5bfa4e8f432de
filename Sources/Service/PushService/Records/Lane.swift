package import Foundation
package import PushModel

/// One app in one APNs environment: what has one credential, and is paused together.
package struct Destination: Hashable, Sendable {
    package var app: App.ID
    package var environment: APNSEnvironment

    package init(app: App.ID, environment: APNSEnvironment) {
        self.app = app
        self.environment = environment
    }
}

/// How soon a push is expected to leave.
package enum DeliveryClass: Int, Hashable, Sendable {
    /// To few devices, at once: nobody's campaign is to hold it up.
    case immediate = 0
    /// To many devices, or spread over time.
    case bulk = 1

    /// Devices up to which a push is immediate.
    package static let fewDevices = 500
}

/// An app's pushes of one class to one APNs environment: they wait in one line, and each device has them in that order.
package struct Lane: Hashable, Sendable {
    package var destination: Destination
    package var delivery: DeliveryClass

    package var app: App.ID { destination.app }
    package var environment: APNSEnvironment { destination.environment }

    package init(app: App.ID, environment: APNSEnvironment, _ delivery: DeliveryClass) {
        destination = Destination(app: app, environment: environment)
        self.delivery = delivery
    }
}

/// A lane in which something waits.
package struct WaitingLane: Hashable, Sendable {
    package var lane: Lane
    /// When its first chunk falls due.
    package var dueAt: Date
    package var pausedUntil: Date?

    package init(lane: Lane, dueAt: Date, pausedUntil: Date?) {
        self.lane = lane
        self.dueAt = dueAt
        self.pausedUntil = pausedUntil
    }

    /// When its first chunk can be taken up.
    package var startsAt: Date { max(dueAt, pausedUntil ?? dueAt) }
}
