/// The order in which lanes take turns: first the one that has sent to the fewest devices since it last had nothing to do.
///
/// A returning lane starts at the count of the least served lane at work. No lane can save up turns, and neither the age nor the
/// number of its backlogs gives it an advantage.
struct LaneTurns {
    private var served: [Lane: Int] = [:]
    /// The lowest count at the last update.
    private var floor = 0

    /// Records the lanes that have something to do, and forgets all others.
    mutating func update(lanes: Set<Lane>) {
        served = served.filter { lanes.contains($0.key) }
        floor = served.values.min() ?? floor
        for lane in lanes where served[lane] == nil { served[lane] = floor }
    }

    /// Records that a lane has sent to a number of devices.
    mutating func add(_ devices: Int, to lane: Lane) { served[lane, default: floor] += devices }

    /// Returns the lanes in order, the next one first.
    func order(_ lanes: [WaitingLane]) -> [WaitingLane] {
        lanes.sorted { left, right in
            let (first, second) = (served[left.lane] ?? floor, served[right.lane] ?? floor)
            return first == second ? left.dueAt < right.dueAt : first < second
        }
    }
}
