package import PushModel

/// The one who performs an operation, for the audit log.
package struct Actor: Codable, Hashable, Sendable {
    /// The name of a user of the portal, or the way in: `operator socket`, `operator token`, `command line`.
    package var name: String
    /// The address of the client, or of its network; nil if unknown.
    @OrNull package var address: String?

    private enum CodingKeys: String, CodingKey {
        case name = "actor"
        case address
    }

    package init(name: String, address: String? = nil) {
        self.name = name
        self.address = address
    }
}
