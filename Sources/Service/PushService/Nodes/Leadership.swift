/// The roles of a node, as far as it knows.
package struct Leadership: Hashable, Sendable {
    private var roles: Set<LeaderRole> = []
    private var isResigned = false

    package init() {}

    /// The roles to ask for: none while the node hands over its work.
    package var wanted: Set<LeaderRole> { isResigned ? [] : Set(LeaderRole.allCases) }

    /// Records the answer of the store.
    ///
    /// - Returns: the roles that the node did not have before.
    package mutating func hold(_ held: Set<LeaderRole>) -> Set<LeaderRole> {
        guard !isResigned else { return [] }
        defer { roles = held }
        return held.subtracting(roles)
    }

    /// Records that the membership is over, and all roles with it.
    package mutating func lose() { roles = [] }

    /// Records whether the node hands over its work.
    package mutating func resign(_ isResigned: Bool) {
        self.isResigned = isResigned
        if isResigned { roles = [] }
    }

    /// Returns whether the node has a role now. A role is worth nothing without a valid lease.
    package func leads(_ role: LeaderRole, lease: NodeLease, at now: Duration) -> Bool {
        lease.isHeld(at: now) && roles.contains(role)
    }
}
