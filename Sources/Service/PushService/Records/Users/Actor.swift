import Crypto
import PushModel

/// The one who performs an operation, for the audit log.
package struct Actor: Hashable, Sendable {
    /// The name of a user of the portal, or the way in: `operator socket`, `operator token`, `command line`.
    package var name: String
    /// The address of the client, or of its network; nil if unknown.
    package var address: String?

    package init(name: String, address: String? = nil) {
        self.name = name
        self.address = address
    }
}
