package import Foundation

/// Faults with their times, and the seed of their chances: a story of trouble that can be told again.
package struct FaultScript: Hashable, Sendable {
    /// Nil: the gateway draws one, and says which.
    package var seed: UInt64?
    /// Their seconds count from the script's beginning.
    package var faults: [Fault]

    package init(seed: UInt64? = nil, faults: [Fault]) {
        self.seed = seed
        self.faults = faults
    }
}

/// A script that was begun.
package struct RunningScript: Hashable, Sendable {
    package let id: Int
    /// The one that was used: the same script with it and the same requests has the same faults.
    package let seed: UInt64
    package let start: Date
    /// The numbers of its faults, in their order.
    package let faults: [Int]
}
