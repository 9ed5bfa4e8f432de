package import Foundation
package import PushModel

/// A fault that was carried out, once.
package struct FaultRecord: Hashable, Sendable {
    /// Counted from 1 without holes, over all faults of the gateway.
    package var number: Int
    package var date: Date
    /// Since the fault was set, or since its script began.
    package var seconds: Double
    package var fault: Int
    /// As in JSON.
    package var kind: String
    package var environment: APNSEnvironment
    /// Nil for a delivery.
    package var connection: Int?
    /// As in the request.
    package var apnsID: String?
}
