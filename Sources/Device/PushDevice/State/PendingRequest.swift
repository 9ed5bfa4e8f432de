import Foundation
import SystemPort

/// A local notification that waits for its moment.
struct PendingRequest: Sendable {
    var bundleID: String
    var request: RequestRecord
    /// Counts what was added.
    var order: Int
    /// Nil where no clock decides.
    var due: Date?
    /// Whether the device was in its region when it last knew.
    var isInside: Bool?

    /// What has no date comes last.
    func fires(before other: PendingRequest) -> Bool {
        (due ?? .distantFuture, order) < (other.due ?? .distantFuture, other.order)
    }
}
