/// A hash table with open addressing from cid hashes to messages, with 22 to 43 bytes per message.
///
/// A hash may have several messages. Hashes must have a new seed in each process; otherwise a client could choose cids that all collide.
struct CIDTable {
    private struct Slot: Equatable {
        /// The hash; 0 for an empty slot.
        var hash: UInt64 = 0
        var message: Int64 = 0
    }

    /// The slots: each pair is at or after the position of its hash, and the first empty slot ends a search.
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

    /// Returns whether there is certainly no message with this hash.
    ///
    /// A caller that checks many hashes in a row lets the processor load many slots in parallel.
    func hasNone(_ hash: UInt64) -> Bool { slots[start(of: max(1, hash))].hash == 0 }

    /// Inserts a pair, unless it is already present.
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
