public import SystemPort

/// The expanded view of a notification, as the user sees it.
public struct ExpandedView: Hashable, Sendable {
    /// The notification's id (``ShownNotification/id``).
    public var id: String
    /// The title in the bar: the app's name, or the title of the content extension that overrides it.
    public var title: String
    /// Title, subtitle and body of the notification; nil if the content extension hides them.
    public var defaultContent: ShownNotification?
    /// The content extension's view; nil without one, and until it has shown something.
    public var content: ContentViewRecord?
    /// The buttons below the notification, in the order in which they are shown.
    public var actions: [ActionRecord]
    /// Whether the system's media button shows the pause symbol.
    public var isPlaying: Bool
}
