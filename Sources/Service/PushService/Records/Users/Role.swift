import Crypto
import PushModel

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
