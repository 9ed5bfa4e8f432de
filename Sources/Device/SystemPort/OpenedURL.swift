/// A URL that an app is asked to open.
public struct OpenedURL: Hashable, Sendable, Codable {
    public var url: String
    /// Who asks, by bundle id; nil for a person, and for an app that is not to be known.
    public var sourceApplication: String?

    public init(_ url: String, sourceApplication: String? = nil) {
        self.url = url
        self.sourceApplication = sourceApplication
    }
}
