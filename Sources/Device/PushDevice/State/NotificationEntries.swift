import PushModel
import SystemPort

/// The notifications that the device holds.
struct NotificationEntries: Sendable {
    /// The entries, newest first.
    private(set) var all: [NotificationEntry] = []

    /// The notification with an id; nil if the device does not hold it.
    subscript(_ id: String) -> ShownNotification? { all.first { $0.shown.id == id }?.shown }

    /// The notifications held for the next summary: the most relevant first, then the newest.
    var heldForSummary: [ShownNotification] {
        all.filter { $0.place == .summary }.map(\.shown)
            .sorted { $0.notification.content.relevanceScore > $1.notification.content.relevanceScore }
    }

    mutating func insert(_ shown: ShownNotification, at place: NotificationEntry.Place) {
        all.insert(NotificationEntry(shown: shown, place: place), at: 0)
    }

    /// Removes entries, and returns them.
    @discardableResult
    mutating func remove(where matches: (NotificationEntry) -> Bool) -> [NotificationEntry] {
        let gone = all.filter(matches)
        if !gone.isEmpty { all.removeAll(where: matches) }
        return gone
    }

    /// Removes the oldest entry of an app that has more than `limit`, and returns it.
    mutating func trim(_ bundleID: String, to limit: Int) -> ShownNotification? {
        guard all.count > limit, all.count(where: { $0.shown.bundleID == bundleID }) > limit,
            let oldest = all.lastIndex(where: { $0.shown.bundleID == bundleID })
        else { return nil }
        return all.remove(at: oldest).shown
    }
}
