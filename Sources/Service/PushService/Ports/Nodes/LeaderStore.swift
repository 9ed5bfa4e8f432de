/// Work that one node does for all.
package enum LeaderRole: String, Hashable, Sendable, CaseIterable {
    /// Firing schedules.
    case schedules
    /// Deleting expired data, and warning of expiring certificates.
    case housekeeping
    /// Reading the journey events of a gateway.
    case gatewayEvents
}

/// The nodes that have roles.
///
/// A role is held under a membership and ends with it: a node that stops, hangs or is cut off loses it with its lease. (A
/// PostgreSQL advisory lock of a session does not: it lasts as long as the connection, which a stopped process keeps open.)
package protocol LeaderStore: Sendable {
    /// Takes those of the roles that nobody holds under a valid membership, gives up all others, in one transaction, and
    /// returns the roles that the caller holds now.
    ///
    /// - Throws: ``NodeError/fenced(_:)`` if the membership is over.
    func lead(_ roles: Set<LeaderRole>, as claim: NodeClaim) async throws -> Set<LeaderRole>
    /// Gives up all roles.
    func resign(_ claim: NodeClaim) async throws
}
