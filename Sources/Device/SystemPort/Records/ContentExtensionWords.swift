/// A call of a content extension to the system while its notification is expanded.
public enum ContentExtensionCall: Hashable, Sendable, Codable {
    /// Replaces the category's buttons while the view is open.
    case setActions([ActionRecord])
    /// Acts like a tap on the notification.
    case performDefaultAction
    /// Closes the expanded view.
    case dismiss
    /// The extension started or paused its media by itself: the system's button changes.
    case media(isPlaying: Bool)
}

/// A content extension's view, as the system sees it after each event.
public struct ContentViewRecord: Hashable, Sendable, Codable {
    /// The view controller's title; empty without one.
    public var title: String
    /// The height in points: the controller's preferred height, else the height of its view.
    public var height: Double
    /// The media button; nil for an extension without one.
    public var mediaButton: MediaButtonRecord?

    /// Creates the record of a view.
    public init(title: String, height: Double, mediaButton: MediaButtonRecord? = nil) {
        self.title = title
        self.height = height
        self.mediaButton = mediaButton
    }
}

/// The play and pause button that the system draws into the view of a content extension.
public struct MediaButtonRecord: Hashable, Sendable, Codable {
    /// Whether it is drawn semi-transparently over the media rather than as a plain button.
    public var isOverlay: Bool
    /// The frame in points of the view, origin at the top left: x, y, width, height.
    public var frame: [Double]
    /// The tint's red, green, blue and alpha, 0 to 1; nil for the system's own.
    public var tint: [Double]?

    /// Creates a button.
    public init(isOverlay: Bool, frame: [Double], tint: [Double]?) {
        self.isOverlay = isOverlay
        self.frame = frame
        self.tint = tint
    }
}
