public import SystemPort

/// A notification that is pressed long, as a person sees it.
public struct ExpandedView: Hashable, Sendable {
    /// Of the notification (``ShownNotification/id``).
    public var id: String
    /// In the bar above: the app's name, or the title of the content extension that overrides it.
    public var title: String
    /// Title, subtitle and body of the notification; nil where the content extension hides them.
    public var defaultContent: ShownNotification?
    /// What the app's content extension shows; nil without one, and until it has shown something.
    public var content: ContentViewRecord?
    public var actions: [ActionRecord]
    /// Whether the system's button for media shows the sign for a pause.
    public var isPlaying: Bool
}
