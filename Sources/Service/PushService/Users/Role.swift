/// The permissions of a user of the portal; each role includes those before it.
package enum Role: String, Codable, Sendable, CaseIterable, Comparable {
    /// Reads.
    case viewer
    /// Sends pushes, and changes schedules and devices.
    case sender
    /// Changes apps, credentials and users.
    case admin

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .sender: 1
        case .admin: 2
        }
    }
}

/// The one who performs an operation, for the audit log.
package struct Actor: Hashable, Sendable {
    /// The name of a user of the portal, or the way in: `operator socket`, `operator token`, `command line`.
    package var name: String
    /// The address of the client, or of its network; nil if unknown.
    package var address: String?

    package init(name: String, address: String? = nil) { (self.name, self.address) = (name, address) }
}
