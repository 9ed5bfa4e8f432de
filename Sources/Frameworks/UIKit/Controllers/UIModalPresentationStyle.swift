/// The manner in which a view controller is presented. Raw values: Apple, `UIModalPresentationStyle`.
public enum UIModalPresentationStyle: Int, Sendable {
    /// The system's choice; stored only, like all styles.
    case automatic = -2
    /// No adaptation to the size of the screen.
    case none = -1
    /// Over the whole screen.
    case fullScreen = 0
    /// As a sheet, whose upper end leaves the screen behind it visible.
    case pageSheet = 1
    /// As a smaller sheet on large screens.
    case formSheet = 2
    /// Over the presenting view controller's area.
    case currentContext = 3
    /// As a delegate of the app decides.
    case custom = 4
    /// Over the whole screen, with what is behind it still there.
    case overFullScreen = 5
    /// Over the presenting view controller's area, with what is behind it still there.
    case overCurrentContext = 6
    /// In a bubble on large screens.
    case popover = 7
}

/// The animation of a presentation. Raw values: Apple, `UIModalTransitionStyle`.
public enum UIModalTransitionStyle: Int, Sendable {
    /// From below, by turning around, by fading, and by turning over a page; stored only.
    case coverVertical, flipHorizontal, crossDissolve, partialCurl
}
