import PushModel

/// Totals that change with nearly every push. They are stored next to the mailboxes, under the same lock.
struct GatewayTally: Sendable {
    private var acceptedInDevelopment = 0
    private var acceptedInProduction = 0
    /// The counts, without those of answers and connections.
    var counts = GatewayCounts()

    func accepted(_ environment: APNSEnvironment) -> Int {
        environment == .development ? acceptedInDevelopment : acceptedInProduction
    }

    mutating func accept(_ environment: APNSEnvironment) {
        if environment == .development { acceptedInDevelopment += 1 } else { acceptedInProduction += 1 }
    }

    @inline(__always)
    mutating func count(_ kind: JourneyEvent.Kind) {
        switch kind {
        case .stored: counts.stored += 1
        case .coalesced: counts.coalesced += 1
        case .expired: counts.expired += 1
        case .delivered: counts.delivered += 1
        default: break
        }
    }
}
