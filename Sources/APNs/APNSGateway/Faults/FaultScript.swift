package import Foundation
package import PushModel

/// A timed sequence of faults with the seed of its random choices; it can be repeated exactly.
package struct FaultScript: Hashable, Sendable {
    /// The seed; if nil, the gateway draws one and reports it.
    package var seed: UInt64?
    /// The faults; their seconds count from the start of the script.
    package var faults: [Fault]
}

/// A script that was started.
package struct RunningScript: Hashable, Sendable {
    package let id: Int
    /// The seed in use: the same script with this seed and the same requests produces the same faults.
    package let seed: UInt64
    package let start: Date
    /// The ids of its faults, in their order.
    package let faults: [Int]
}

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
