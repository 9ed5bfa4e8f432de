import PushModel

/// Totals that change with nearly every push. They are stored next to the mailboxes, under the same lock.
struct GatewayTally: Sendable {
    private var acceptedInDevelopment = 0
    private var acceptedInProduction = 0
    private(set) var stored = 0
    private(set) var coalesced = 0
    private(set) var expired = 0
    private(set) var delivered = 0
    /// The number of pushes that wait now.
    var waiting = 0

    func accepted(_ environment: APNSEnvironment) -> Int {
        environment == .development ? acceptedInDevelopment : acceptedInProduction
    }

    mutating func accept(_ environment: APNSEnvironment) {
        if environment == .development { acceptedInDevelopment += 1 } else { acceptedInProduction += 1 }
    }

    @inline(__always)
    mutating func count(_ kind: JourneyEvent.Kind) {
        switch kind {
        case .stored: stored += 1
        case .coalesced: coalesced += 1
        case .expired: expired += 1
        case .delivered: delivered += 1
        default: break
        }
    }
}
