/// An in-app view, without the system's notifications.
public struct InAppRecord: Hashable, Sendable, Codable {
    /// The id that the app chose.
    public var id: String
    public var title: String
    public var body: String

    public init(id: String, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}
