/// The lease of a node, seen from the node itself.
///
/// Times are durations on the node's own clock, which must not stand still while the process is stopped. The lease counts from
/// before its renewal was requested, so for the node it always ends before the store lets another node take over.
package struct NodeLease: Hashable, Sendable {
    /// The duration of a lease. A node that hangs, or is cut off, is replaced after this time.
    package static let term = Duration.seconds(6)
    /// The time between heartbeats. Several may be lost within a lease.
    package static let beat = Duration.seconds(1)

    package private(set) var claim: NodeClaim
    /// The time at which the last successful renewal was requested.
    private var renewedAt: Duration
    /// The time since which no two renewals were a whole term apart.
    private var steadySince: Duration

    /// Creates the lease of a membership, by the time at which it was requested.
    package init(_ claim: NodeClaim, requestedAt time: Duration) {
        self.claim = claim
        (renewedAt, steadySince) = (time, time)
    }

    /// The time at which the lease ends for the node.
    package var end: Duration { renewedAt + Self.term }

    /// Returns whether the node may work: begin steps, fire schedules, act as a leader.
    package func isHeld(at now: Duration) -> Bool { now < end }

    /// Records a renewal, by the time at which it was requested.
    package mutating func renew(requestedAt time: Duration) {
        if time >= end { steadySince = time }
        renewedAt = max(renewedAt, time)
    }

    /// Returns whether the node may end the memberships of others.
    ///
    /// After a time in which the store was away, all leases have expired. So a node must have renewed its own for a whole term
    /// without a gap, in which the others could do the same.
    package func mayEndOthers(at now: Duration) -> Bool { isHeld(at: now) && now - steadySince >= Self.term }
}
