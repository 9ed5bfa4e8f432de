/// Numbers for tags as they are met, found by their octets: the same tags come again and again, and no text is made for them.
struct TagNames {
    private(set) var all: [String] = []
    private var hashes: [Int] = []
    /// Numbers, each at or after the place that its hash asks for; the first empty slot ends a search.
    private var slots = ContiguousArray(repeating: Self.empty, count: 64)

    private static let empty = UInt32.max

    mutating func number(of octets: Span<UInt8>) -> UInt32 {
        // Seeded anew in each process, so that nobody can have all tags fall on one place.
        var hasher = Hasher()
        unsafe octets.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        let hash = hasher.finalize()
        var slot = hash & (slots.count - 1)
        while slots[slot] != Self.empty {
            if hashes[Int(slots[slot])] == hash, isSame(octets, all[Int(slots[slot])]) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = UInt32(all.count)
        slots[slot] = number
        hashes.append(hash)
        all.append(unsafe octets.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) })
        if all.count * 2 > slots.count { grow() }
        return number
    }

    private func isSame(_ octets: Span<UInt8>, _ name: String) -> Bool {
        let name = name.utf8
        return name.count == octets.count && zip(name, octets.indices).allSatisfy { $0 == octets[$1] }
    }

    private mutating func grow() {
        slots = ContiguousArray(repeating: Self.empty, count: slots.count * 2)
        for (number, hash) in hashes.enumerated() {
            var slot = hash & (slots.count - 1)
            while slots[slot] != Self.empty { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number)
        }
    }
}
