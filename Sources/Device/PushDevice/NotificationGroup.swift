/// Entries of the notification centre that lie on one stack: the same app and thread.
///
/// Which entries belong together, by version and by what the person chose: ``SystemProfile/groupsNotifications`` and
/// ``SystemPort/SettingsRecord/grouping``.
public struct NotificationGroup: Hashable, Sendable {
    public var bundleID: String
    public var appName: String
    /// Empty where entries are grouped by app.
    public var threadIdentifier: String
    /// Newest first, never empty; the first is the one on top.
    public var notifications: [ShownNotification]
    /// What stands below the one on top, such as `3 more notifications`; nil for a single one.
    public var summary: String?
    /// How many notifications the group stands for: the sum of their `summaryArgumentCount`, where the system has that.
    public var count: Int
}

/// The line of a group.
///
/// Sources: Apple, "categorySummaryFormat" (the number of notifications, and the list made by joining their arguments) and
/// "summaryArgumentCount", read November 2026; WWDC 2018 session 711: the line speaks of those below the one on top.
struct GroupSummary {
    /// What each notification below the one on top counts for.
    var counts: [Int]
    /// What they are about, newest first; nil where the system has no arguments or must not show them.
    var arguments: [String]?
    /// Of the category of the one on top; empty for the system's own words.
    var format: String

    var text: String {
        let count = counts.reduce(0, +)
        let names = (arguments ?? []).filter { !$0.isEmpty }.reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        // A sentence that ends in a name it has not is no sentence.
        guard !format.isEmpty, !format.contains("%@") || !names.isEmpty else {
            return count == 1 ? "1 more notification" : "\(count) more notifications"
        }
        return format.replacing("%u", with: String(count)).replacing("%@", with: Self.list(names))
            .replacing("%%", with: "%")
    }

    private static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
