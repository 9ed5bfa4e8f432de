/// Which devices have what hash of 64 bits: the hash of each device and an open table of ordinals, about 16 bytes a device
/// where dictionaries of texts take 200 and more.
///
/// Hashes are to come from ``hash(_:)``: whoever chooses what is hashed could else have all of it fall on one place.
package struct HashedOrdinals: Sendable {
    /// By ordinal; 0 stands for none.
    private var hashes: ContiguousArray<UInt64> = []
    /// Ordinals, each at or after the place that its hash asks for; the first empty slot ends a search.
    private var slots = ContiguousArray(repeating: Self.empty, count: 8)
    private var used = 0

    private static let empty = DeviceOrdinal.max

    package init() {}

    /// A hash that is not 0, seeded anew in each process, so that nobody can look for two with the same.
    package static func hash(_ value: some Hashable) -> UInt64 {
        max(1, UInt64(truncatingIfNeeded: UInt(bitPattern: value.hashValue)))
    }

    /// Gives a device another hash; 0 takes it away.
    ///
    /// - Returns: the one that it had.
    @discardableResult
    package mutating func set(_ hash: UInt64, of ordinal: DeviceOrdinal) -> UInt64 {
        let place = Int(ordinal)
        if place >= hashes.count {
            guard hash != 0 else { return 0 }
            hashes.append(contentsOf: repeatElement(0, count: place + 1 - hashes.count))
        }
        let old = hashes[place]
        guard old != hash else { return old }
        if old != 0 { remove(ordinal) }
        hashes[place] = 0
        guard hash != 0 else { return old }
        reserve(used + 1)
        hashes[place] = hash
        insert(ordinal)
        used += 1
        return old
    }

    /// Gives other hashes, of which none is 0, to some devices, each named once.
    ///
    /// Many at once: the table is larger than the processor's cache, and only so does it wait for several slots together.
    package mutating func add(_ entries: [(ordinal: DeviceOrdinal, hash: UInt64)]) {
        guard let size = entries.map({ Int($0.ordinal) + 1 }).max() else { return }
        if size > hashes.count { hashes.append(contentsOf: repeatElement(0, count: size - hashes.count)) }
        for entry in entries where hashes[Int(entry.ordinal)] != 0 { set(0, of: entry.ordinal) }
        reserve(used + entries.count)
        for entry in entries { hashes[Int(entry.ordinal)] = entry.hash }
        for entry in entries { insert(entry.ordinal) }
        used += entries.count
    }

    /// The devices with this hash, in rising order; it is not 0.
    package func devices(_ hash: UInt64) -> [DeviceOrdinal] {
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

    /// Half of the slots stay empty, so that searches are short.
    private mutating func reserve(_ count: Int) {
        var size = slots.count
        while count * 2 > size { size *= 2 }
        guard size > slots.count else { return }
        slots = ContiguousArray(repeating: Self.empty, count: size)
        for (place, hash) in hashes.enumerated() where hash != 0 { insert(DeviceOrdinal(place)) }
    }

    private func start(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }
}
