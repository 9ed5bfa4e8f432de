import Foundation
import PushModel
import SystemPort

/// A local notification that waits for its moment.
struct PendingRequest: Sendable {
    var bundleID: String
    var request: RequestRecord
    /// Counts what was added.
    var order: Int
    /// Nil where no clock decides.
    var due: Date?
    /// Nil where no place decides.
    var watch: RegionWatch?

    /// What has no date comes last.
    func fires(before other: PendingRequest) -> Bool {
        (due ?? .distantFuture, order) < (other.due ?? .distantFuture, other.order)
    }
}
