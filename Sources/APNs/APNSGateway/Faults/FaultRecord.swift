package import Foundation
package import PushModel

/// One execution of a fault.
package struct FaultRecord: Hashable, Sendable {
    /// The number of the record, counted from 1 without gaps over all faults of the gateway.
    package var number: Int
    package var date: Date
    /// The seconds since the fault was set, or since its script began.
    package var seconds: Double
    package var fault: Int
    /// The kind's JSON name.
    package var kind: String
    package var environment: APNSEnvironment
    /// The number of the connection; nil for a delivery.
    package var connection: Int?
    /// The apns-id as in the request.
    package var apnsID: String?
}
