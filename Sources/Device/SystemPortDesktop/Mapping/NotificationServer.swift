/// The desktop's notification server, as it describes itself.
///
/// Source: Desktop Notifications Specification 1.2, `GetServerInformation` and `GetCapabilities`.
package struct NotificationServer: Hashable, Sendable, Codable {
    /// The unique name on the bus of the process; ids of notifications are valid as long as it lives.
    package var owner: String
    /// The version of the specification that it implements, `1.2` for example.
    package var specification: String
    package var capabilities: Set<String>

    package init(owner: String, specification: String, capabilities: Set<String>) {
        self.owner = owner
        self.specification = specification
        self.capabilities = capabilities
    }

    package func has(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }

    /// The capabilities that the mapping asks for.
    package enum Capability: String, Sendable {
        /// Shows buttons.
        case actions
        /// Shows a body.
        case body
        /// Shows pictures within the body.
        case bodyImages = "body-images"
        /// Reads the body as markup.
        case bodyMarkup = "body-markup"
        /// Shows an animated picture beside the texts.
        case iconMulti = "icon-multi"
        /// Shows a picture beside the texts.
        case iconStatic = "icon-static"
        /// Asks for a text within the notification: an extension of KDE.
        case inlineReply = "inline-reply"
        /// Plays sounds.
        case sound
    }

    /// Whether it shows a picture beside the texts.
    var showsPictures: Bool { has(.iconStatic) || has(.iconMulti) }

    /// Whether the hints of the version are known: nil if the version is no pair of numbers.
    package func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
        let parts = specification.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
        guard let first = parts.first else { return false }
        return (first, parts.count > 1 ? parts[1] : 0) >= (major, minor)
    }

    /// The name on the bus, and the interface.
    package static let busName = "org.freedesktop.Notifications"
    package static let path = "/org/freedesktop/Notifications"
}
