/// What faults make of one request.
struct FaultDecision: Hashable, Sendable {
    /// What becomes of it in the end.
    enum Ending: Hashable, Sendable {
        case judged
        case answered(FaultAnswer)
        case reset(code: Int, isTaken: Bool)
        case closed(isTaken: Bool)
    }

    /// The fault until whose end a request waits.
    struct Stall: Hashable, Sendable {
        var fault: Int
        /// Nil: until the fault is lifted or over.
        var seconds: Double?
    }

    var goAways: [FaultGoAway] = []
    /// In seconds.
    var delay: Double = 0
    var stall: Stall?
    var ending: Ending = .judged

    var isLater: Bool { delay > 0 || stall != nil }
}

/// What faults make of one delivery.
enum FaultyDelivery: Hashable, Sendable {
    /// The device gets it so many times; once is how it should be.
    case copies(Int)
    /// It gets it when it comes again.
    case dropped
    case lost
}
