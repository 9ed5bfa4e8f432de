package import Foundation
package import PushModel

/// An app's pushes to one APNs environment: what waits, fails and is paused together.
package struct Lane: Hashable, Sendable {
    package var app: App.ID
    package var environment: APNSEnvironment

    package init(app: App.ID, environment: APNSEnvironment) {
        self.app = app
        self.environment = environment
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
    var startsAt: Date { max(dueAt, pausedUntil ?? dueAt) }
}
