/// Whose turn it is: the lane that has sent to the fewest devices, counted from when it last had nothing to do.
///
/// A lane that comes back begins where the least served of those at work stands, so that nobody saves up turns, and neither the
/// age nor the number of a lane's backlogs gets it more than the others.
struct LaneTurns {
    private var served: [Lane: Int] = [:]
    /// The least of those at the last look.
    private var floor = 0

    /// Takes note of the lanes that have something to do, and forgets all others.
    mutating func look(at lanes: Set<Lane>) {
        served = served.filter { lanes.contains($0.key) }
        floor = served.values.min() ?? floor
        for lane in lanes where served[lane] == nil { served[lane] = floor }
    }

    /// A lane has sent to so many devices.
    mutating func add(_ devices: Int, to lane: Lane) { served[lane, default: floor] += devices }

    /// The lanes, the next one first.
    func order(_ lanes: [WaitingLane]) -> [WaitingLane] {
        lanes.sorted { left, right in
            let (first, second) = (served[left.lane] ?? floor, served[right.lane] ?? floor)
            return first == second ? left.dueAt < right.dueAt : first < second
        }
    }
}
