/// A URL that an app is asked to open.
public struct OpenedURL: Hashable, Sendable, Codable {
    public var url: String
    /// The bundle id of the app that asks; nil for the user, and for an app that is not disclosed.
    public var sourceApplication: String?

    public init(_ url: String, sourceApplication: String? = nil) {
        self.url = url
        self.sourceApplication = sourceApplication
    }
}
