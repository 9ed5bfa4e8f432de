import PushModel
import SystemPort

/// A notification that the device holds: in the notification centre, on the banner, or for the next summary.
///
/// It is immutable. It is a class because each push iterates over all entries, and copying the values would cost more
/// than the rest of the processing.
final class Entry: Sendable {
    let shown: ShownNotification
    let place: Place

    enum Place: Sendable {
        /// On the banner only.
        case banner
        /// In the notification centre, possibly on the banner too.
        case list
        /// Not shown yet.
        case summary
    }

    init(shown: ShownNotification, place: Place) { (self.shown, self.place) = (shown, place) }

    var isListed: Bool { place == .list }

    /// Whether this is the entry of a request; a newer one replaces it.
    func isOf(_ bundleID: String, _ identifier: String) -> Bool {
        shown.notification.identifier.isSame(as: identifier) && shown.bundleID == bundleID
    }
}

/// The notifications that the device holds.
struct NotificationEntries: Sendable {
    /// The entries, newest first.
    private(set) var all: [Entry] = []

    /// The notification with an id; nil if the device does not hold it.
    subscript(_ id: String) -> ShownNotification? { all.first { $0.shown.id == id }?.shown }

    /// The notifications held for the next summary: the most relevant first, then the newest.
    var heldForSummary: [ShownNotification] {
        let held = all.filter { $0.place == .summary }.map(\.shown)
        return held.enumerated().sorted { one, other in
            let scores = (one.element.relevance, other.element.relevance)
            return scores.0 == scores.1 ? one.offset < other.offset : scores.0 > scores.1
        }.map(\.element)
    }

    mutating func insert(_ shown: ShownNotification, at place: Entry.Place) {
        all.insert(Entry(shown: shown, place: place), at: 0)
    }

    /// Removes entries, and returns them.
    @discardableResult
    mutating func remove(where matches: (Entry) -> Bool) -> [Entry] {
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

extension ShownNotification {
    fileprivate var relevance: Double { notification.content.relevanceScore }
}
