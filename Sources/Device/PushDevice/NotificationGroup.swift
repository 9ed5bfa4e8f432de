/// Entries of the notification centre in one stack, with the same app and thread.
///
/// ``SystemProfile/groupsNotifications`` and ``SystemPort/SettingsRecord/grouping`` determine the grouping by version
/// and by the user's choice.
public struct NotificationGroup: Hashable, Sendable {
    /// The bundle id of the app.
    public var bundleID: String
    /// The name of the app, as the home screen shows it.
    public var appName: String
    /// The thread identifier; empty where entries are grouped by app.
    public var threadIdentifier: String
    /// The notifications, newest first, never empty; the first is on top.
    public var notifications: [ShownNotification]
    /// The line below the top notification, such as `3 more notifications`; nil for a single one.
    public var summary: String?
    /// The number of notifications that the group represents: the sum of their `summaryArgumentCount`, if the system
    /// supports it.
    public var count: Int
}

/// The summary line of a group.
///
/// Sources: Apple, "categorySummaryFormat" (the number of notifications, and the list made by joining their arguments)
/// and "summaryArgumentCount", read November 2026; WWDC 2018 session 711: the line describes the notifications below
/// the top one.
struct GroupSummary {
    /// The count of each notification below the top one.
    var counts: [Int]
    /// Their summary arguments, newest first; nil if the system has none or must not show them.
    var arguments: [String]?
    /// The summary format of the top notification's category; empty for the system's own text.
    var format: String

    var text: String {
        let count = counts.reduce(0, +)
        let names = (arguments ?? []).filter { !$0.isEmpty }.reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        // A format that needs a name is not used without one.
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
