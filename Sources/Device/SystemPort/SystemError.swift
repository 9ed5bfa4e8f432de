import PushModel

/// An error, as sent over the port; the framework converts it to its own type.
public struct SystemError: Error, Hashable, Sendable, Codable {
    /// The domain, such as `UNErrorDomain`.
    public var domain: String
    /// The code within the domain.
    public var code: Int
    /// The human-readable text.
    public var text: String

    /// Creates an error.
    public init(domain: String, code: Int, text: String) {
        self.domain = domain
        self.code = code
        self.text = text
    }
}
