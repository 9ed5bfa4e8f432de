import PushModel
import SystemPort

/// A notification that the device holds: in the notification centre, on the banner, or for the next summary.
///
/// It is immutable. It is a class because each push iterates over all entries, and copying the values would cost more
/// than the rest of the processing.
final class NotificationEntry: Sendable {
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

    init(shown: ShownNotification, place: Place) {
        self.shown = shown
        self.place = place
    }

    var isListed: Bool { place == .list }

    /// Whether this is the entry of a request; a newer one replaces it.
    func isOf(_ bundleID: String, _ identifier: String) -> Bool {
        shown.notification.identifier.isSame(as: identifier) && shown.bundleID == bundleID
    }
}
