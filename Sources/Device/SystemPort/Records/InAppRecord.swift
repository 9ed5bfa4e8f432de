/// An in-app view, without the system's notifications.
public struct InAppRecord: Hashable, Sendable, Codable {
    /// The id that the app chose.
    public var id: String
    /// The title of the view.
    public var title: String
    /// The text of the view.
    public var body: String

    /// Creates a view.
    public init(id: String, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}
