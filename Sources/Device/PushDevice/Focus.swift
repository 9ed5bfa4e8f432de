import PushModel

/// A mode in which only selected apps may interrupt.
public struct Focus: Hashable, Sendable {
    /// The name of the Focus, as Settings shows it.
    public var name: String
    /// Bundle ids of the apps that may interrupt.
    public var allowedApps: Set<String>
    /// Whether time-sensitive notifications come through.
    public var allowsTimeSensitive: Bool
    /// The Focus filters (iOS 16): the `filterCriteria` that an app lets through, by bundle id.
    ///
    /// They replace the predicate of the app's `SetFocusFilterIntent`. An app without an entry filters nothing, and a
    /// notification without criteria is not filtered: Apple does not document that case.
    public var filters: [String: Set<String>]

    /// Creates a Focus.
    public init(
        name: String,
        allowedApps: Set<String> = [],
        allowsTimeSensitive: Bool = true,
        filters: [String: Set<String>] = [:]
    ) {
        self.name = name
        self.allowedApps = allowedApps
        self.allowsTimeSensitive = allowsTimeSensitive
        self.filters = filters
    }

    /// Returns why it does not let a notification of an app with these criteria interrupt; nil if it does.
    func holds(_ criteria: String?, of bundleID: String) -> SuppressionReason? {
        guard allowedApps.contains(bundleID) else { return .focus }
        guard let criteria, let allowed = filters[bundleID] else { return nil }
        return allowed.contains(criteria) ? nil : .focusFilter
    }

    /// "Do Not Disturb", which time-sensitive notifications do not break through.
    public static let doNotDisturb = Focus(name: "Do Not Disturb", allowsTimeSensitive: false)
}
