/// The effect of faults on one request.
package struct FaultDecision: Hashable, Sendable {
    /// The way in which a request ends.
    package enum Ending: Hashable, Sendable {
        case judged
        case answered(FaultAnswer)
        case reset(code: Int, isTaken: Bool)
        case closed(isTaken: Bool)
    }

    /// The fault that a request waits for.
    package struct Stall: Hashable, Sendable {
        package var fault: Int
        /// The time to wait; nil: until the fault ends or is lifted.
        package var seconds: Double?
    }

    package var goAways: [FaultGoAway] = []
    /// The delay in seconds.
    package var delay: Double = 0
    package var stall: Stall?
    package var ending: Ending = .judged

    var isLater: Bool { delay > 0 || stall != nil }
}

/// The effect of faults on one delivery.
package enum FaultyDelivery: Hashable, Sendable {
    /// The device gets this number of copies; one is normal.
    case copies(Int)
    /// The device gets the push when it reconnects.
    case dropped
    case lost
}
