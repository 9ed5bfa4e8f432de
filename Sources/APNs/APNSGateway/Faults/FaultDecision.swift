/// What faults make of one request.
package struct FaultDecision: Hashable, Sendable {
    /// What becomes of it in the end.
    package enum Ending: Hashable, Sendable {
        case judged
        case answered(FaultAnswer)
        case reset(code: Int, isTaken: Bool)
        case closed(isTaken: Bool)
    }

    /// The fault until whose end a request waits.
    package struct Stall: Hashable, Sendable {
        package var fault: Int
        /// Nil: until the fault is lifted or over.
        package var seconds: Double?

        package init(fault: Int, seconds: Double?) {
            self.fault = fault
            self.seconds = seconds
        }
    }

    package var goAways: [FaultGoAway] = []
    /// In seconds.
    package var delay: Double = 0
    package var stall: Stall?
    package var ending: Ending = .judged

    package init() {}

    var isLater: Bool { delay > 0 || stall != nil }
}

/// What faults make of one delivery.
package enum FaultyDelivery: Hashable, Sendable {
    /// The device gets it so many times; once is how it should be.
    case copies(Int)
    /// It gets it when it comes again.
    case dropped
    case lost
}
