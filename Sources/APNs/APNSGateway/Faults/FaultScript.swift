package import Foundation

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
