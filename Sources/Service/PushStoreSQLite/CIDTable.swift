/// Messages by the hashes of their cids: an open table of pairs of numbers, 22 to 43 bytes for each.
///
/// A hash may have several messages. Hashes must be seeded anew in each process: whoever chooses what is hashed could else have
/// all of it fall on one place.
struct CIDTable {
    private struct Slot: Equatable {
        /// 0 stands for none.
        var hash: UInt64 = 0
        var message: Int64 = 0
    }

    /// Each pair at or after the place that its hash asks for; the first empty slot ends a search.
    private var slots = ContiguousArray(repeating: Slot(), count: 64)
    private var used = 0

    /// Appends the messages with this hash.
    func find(_ hash: UInt64, into found: inout [Int64]) {
        let hash = max(1, hash)
        var place = start(of: hash)
        while slots[place].hash != 0 {
            if slots[place].hash == hash { found.append(slots[place].message) }
            place = next(place)
        }
    }

    /// Whether there is certainly no message with this hash. Whoever asks for many at once before anything else has the processor
    /// look at many places of the table at the same time.
    func hasNone(_ hash: UInt64) -> Bool { slots[start(of: max(1, hash))].hash == 0 }

    /// A pair that is there already stays alone.
    mutating func insert(_ message: Int64, _ hash: UInt64) {
        if used * 4 >= slots.count * 3 { grow() }
        if put(Slot(hash: max(1, hash), message: message)) { used += 1 }
    }

    private mutating func put(_ slot: Slot) -> Bool {
        var place = start(of: slot.hash)
        while slots[place].hash != 0 {
            if slots[place] == slot { return false }
            place = next(place)
        }
        slots[place] = slot
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = ContiguousArray(repeating: Slot(), count: old.count * 2)
        for slot in old where slot.hash != 0 { _ = put(slot) }
    }

    private func start(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    private func next(_ place: Int) -> Int { (place + 1) & (slots.count - 1) }
}
