/// What a content extension asks of the system while its notification is expanded.
public enum ContentExtensionCall: Hashable, Sendable, Codable {
    /// Other buttons than those of the category, for as long as the view is open.
    case setActions([ActionRecord])
    /// As a tap on the notification.
    case performDefaultAction
    /// Closes the expanded view.
    case dismiss
    /// The extension began or paused its media by itself: the system's button changes.
    case media(isPlaying: Bool)
}

/// What a content extension shows, as the system sees it after each event.
public struct ContentViewRecord: Hashable, Sendable, Codable {
    /// The view controller's title; empty without one.
    public var title: String
    /// In points: the controller's preferred height, else the height of its view.
    public var height: Double
    /// Nil for an extension without one.
    public var mediaButton: MediaButtonRecord?

    public init(title: String, height: Double, mediaButton: MediaButtonRecord? = nil) {
        self.title = title
        self.height = height
        self.mediaButton = mediaButton
    }
}

/// The play and pause button that the system draws into the view of a content extension.
public struct MediaButtonRecord: Hashable, Sendable, Codable {
    /// Drawn half transparent above the media; else a plain one.
    public var isOverlay: Bool
    /// In points of the view, origin at the top left: x, y, width, height.
    public var frame: [Double]
    /// Red, green, blue and alpha, 0 to 1; nil for the system's own.
    public var tint: [Double]?

    public init(isOverlay: Bool, frame: [Double], tint: [Double]?) {
        self.isOverlay = isOverlay
        self.frame = frame
        self.tint = tint
    }
}
