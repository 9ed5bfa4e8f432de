/// A mode in which only some apps may interrupt.
public struct Focus: Hashable, Sendable {
    public var name: String
    /// Bundle ids of the apps that may.
    public var allowedApps: Set<String>
    /// Time-sensitive notifications come through.
    public var allowsTimeSensitive: Bool

    public init(name: String, allowedApps: Set<String> = [], allowsTimeSensitive: Bool = true) {
        self.name = name
        self.allowedApps = allowedApps
        self.allowsTimeSensitive = allowsTimeSensitive
    }

    public static let doNotDisturb = Focus(name: "Do Not Disturb", allowsTimeSensitive: false)
}
