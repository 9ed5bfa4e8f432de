/// Identifies work that an app finishes in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No piece of work: the app may not run in the background.
    public static let invalid = Self(rawValue: 0)
}
