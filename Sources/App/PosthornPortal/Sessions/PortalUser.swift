import PushModel
import PushService

/// A user of the portal, as the operations tell of one.
struct PortalUser: Hashable, Sendable {
    var name: String
    var role: Role
    /// See ``Session/version``.
    var version: String

    /// Reads the answer of an operation; nil for another one.
    init?(_ members: JSONObject) {
        guard let name = members["name"]?.string, let role = members["role"]?.string.flatMap(Role.init(rawValue:)),
            let version = members["version"]?.string
        else { return nil }
        (self.name, self.role, self.version) = (name, role, version)
    }
}
