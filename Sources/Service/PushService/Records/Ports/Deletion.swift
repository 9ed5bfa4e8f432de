package import Foundation

/// The record of a deletion.
package struct Deletion: Hashable, Sendable {
    /// The number of days after which it was deleted, by the rule at that time.
    package var days: Int
    /// The time of the deletion, for the events of the app; nil to write none.
    package var date: Date?

    package init(days: Int, at date: Date? = nil) {
        self.days = days
        self.date = date
    }
}
