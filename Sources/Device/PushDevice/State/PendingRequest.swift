import Foundation
import PushModel
import SystemPort

/// A pending local notification.
struct PendingRequest: Sendable {
    var bundleID: String
    var request: RequestRecord
    /// The sequence number of the request.
    var order: Int
    /// The time at which it fires; nil without a time trigger.
    var due: Date?
    /// The watched region; nil without a location trigger.
    var watch: RegionWatch?

    /// Requests without a date come last.
    func fires(before other: PendingRequest) -> Bool {
        (due ?? .distantFuture, order) < (other.due ?? .distantFuture, other.order)
    }
}
