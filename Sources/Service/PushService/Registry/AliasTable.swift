/// Which devices have an alias, without the aliases themselves: a hash of 64 bits for each device and an open table of
/// ordinals, about 16 bytes a device where dictionaries of texts take 200 and more.
///
/// Two aliases of one app with the same hash would be taken for one. The hash is seeded anew in each process, so nobody can
/// look for such a pair, and among a million aliases chance finds one in 10^13 questions.
struct AliasTable {
    /// By ordinal; 0 stands for no alias.
    private var hashes: ContiguousArray<UInt64> = []
    /// Ordinals, each at or after the place that its hash asks for; the first empty slot ends a search.
    private var slots = ContiguousArray(repeating: Self.empty, count: 8)
    private var used = 0

    private static let empty = DeviceOrdinal.max

    /// Gives a device another alias; nil takes it away.
    mutating func set(_ alias: String?, of ordinal: DeviceOrdinal) {
        let place = Int(ordinal)
        if place >= hashes.count {
            guard alias != nil else { return }
            hashes.append(contentsOf: repeatElement(0, count: place + 1 - hashes.count))
        }
        let hash = alias.map(Self.hash) ?? 0
        guard hashes[place] != hash else { return }
        if hashes[place] != 0 { remove(ordinal) }
        hashes[place] = hash
        guard hash != 0 else { return }
        // Half of the slots stay empty, so that searches are short.
        if (used + 1) * 2 > slots.count { grow() }
        insert(ordinal)
        used += 1
    }

    /// In rising order.
    func devices(_ alias: String) -> [DeviceOrdinal] {
        let hash = Self.hash(alias)
        var found: [DeviceOrdinal] = []
        var slot = start(of: hash)
        while slots[slot] != Self.empty {
            if hashes[Int(slots[slot])] == hash { found.append(slots[slot]) }
            slot = next(slot)
        }
        return found.sorted()
    }

    private mutating func insert(_ ordinal: DeviceOrdinal) {
        var slot = start(of: hashes[Int(ordinal)])
        while slots[slot] != Self.empty { slot = next(slot) }
        slots[slot] = ordinal
    }

    private mutating func remove(_ ordinal: DeviceOrdinal) {
        var hole = start(of: hashes[Int(ordinal)])
        while slots[hole] != ordinal { hole = next(hole) }
        used -= 1
        // What comes after moves up into the hole, unless the hole lies before its start: no search may end too early.
        var slot = next(hole)
        while slots[slot] != Self.empty {
            let distance = (slot - start(of: hashes[Int(slots[slot])])) & (slots.count - 1)
            if distance >= (slot - hole) & (slots.count - 1) {
                slots[hole] = slots[slot]
                hole = slot
            }
            slot = next(slot)
        }
        slots[hole] = Self.empty
    }

    private mutating func grow() {
        let ordinals = slots.filter { $0 != Self.empty }
        slots = ContiguousArray(repeating: Self.empty, count: slots.count * 2)
        for ordinal in ordinals { insert(ordinal) }
    }

    private func start(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    private static func hash(_ alias: String) -> UInt64 {
        max(1, UInt64(truncatingIfNeeded: UInt(bitPattern: alias.hashValue)))
    }
}
