/// Numbers by the hashes of what they stand for, about 17 bytes each.
///
/// The numbers lie in buckets of 256 slots, each beside the lower half of its hash: a search hardly meets a wrong number, and a
/// bucket is split without asking for hashes. A bucket that fills is split in two, so that no entry ever waits for the whole table
/// to be built anew, however large it is.
///
/// Hashes are to be seeded anew in each process: whoever chooses what is hashed could else have all of it fall into one bucket.
struct HashIndex: Sendable {
    /// Slots of a bucket; a search looks at those of one bucket alone.
    private static let size = 256
    /// A bucket with more entries than this is split.
    private static let full = size * 3 / 4
    /// A hash with more entries than this gets a set of its own, as no split would tell them apart.
    private static let crowd = 64
    private static let empty = UInt64.max

    /// The slots of all buckets, one bucket behind the other.
    private var slots = Buckets()
    /// For each bucket, how many of the lowest bits its hashes share, and the number of its entries.
    private var depths: ContiguousArray<UInt8> = [0]
    private var counts: ContiguousArray<UInt8> = [0]
    /// Buckets by the lowest bits of a hash, as many bits as the deepest bucket has.
    private var directory: ContiguousArray<UInt32> = [0]
    private var crowds: [UInt32: DeviceSet] = [:]

    init() {}

    /// The number of buckets.
    var bucketCount: Int { depths.count }

    /// Calls `body` with each number whose hash may be this one, in no order, until it returns false.
    @inline(__always)
    func forEach(_ hash: UInt64, _ body: (UInt32) -> Bool) {
        let mark = Self.mark(of: hash)
        let first = bucket(of: mark) * Self.size
        var place = Self.start(of: mark)
        while true {
            let slot = slots[first + place]
            guard slot != Self.empty else { break }
            if Self.mark(in: slot) == mark { guard body(Self.number(in: slot)) else { return } }
            place = (place + 1) & (Self.size - 1)
        }
        if !crowds.isEmpty, let crowd = crowds[mark] {
            for number in crowd.ordinals { guard body(number) else { return } }
        }
    }

    /// Calls `body` with each number whose hash may be one of these, and with that hash, in no order.
    ///
    /// One step for all hashes after the other: the table is larger than the processor's cache, and only so does a search wait for
    /// many places together.
    @inline(__always)
    func forEach(of hashes: [UInt64], _ body: (UInt64, UInt32) -> Void) {
        let starts = hashes.map { hash in
            let mark = Self.mark(of: hash)
            let place = bucket(of: mark) * Self.size + Self.start(of: mark)
            return (place: place, slot: slots[place])
        }
        for (hash, start) in zip(hashes, starts) {
            let mark = Self.mark(of: hash)
            var (place, slot) = start
            while slot != Self.empty {
                if Self.mark(in: slot) == mark { body(hash, Self.number(in: slot)) }
                place = place & ~(Self.size - 1) | (place + 1) & (Self.size - 1)
                slot = slots[place]
            }
            guard !crowds.isEmpty, let crowd = crowds[mark] else { continue }
            for number in crowd.ordinals { body(hash, number) }
        }
    }

    /// Adds a number that is not there; the highest of all is none.
    mutating func insert(_ number: UInt32, _ hash: UInt64) {
        let mark = Self.mark(of: hash)
        if !crowds.isEmpty, crowds[mark] != nil {
            crowds[mark]?.insert(number)
            return
        }
        var bucket = bucket(of: mark)
        while counts[bucket] >= Self.full {
            if gather(mark, in: bucket) {
                crowds[mark]?.insert(number)
                return
            }
            split(bucket, sharedBy: mark)
            bucket = self.bucket(of: mark)
        }
        put(Self.slot(mark, number), into: bucket)
        counts[bucket] += 1
    }

    /// Removes a number that is there with this hash.
    mutating func remove(_ number: UInt32, _ hash: UInt64) {
        let mark = Self.mark(of: hash)
        if !crowds.isEmpty, crowds[mark] != nil {
            crowds[mark]?.remove(number)
            if crowds[mark]?.isEmpty == true { crowds[mark] = nil }
            return
        }
        remove(Self.slot(mark, number), from: bucket(of: mark))
    }

    private mutating func remove(_ slot: UInt64, from bucket: Int) {
        let first = bucket * Self.size
        var hole = Self.start(of: Self.mark(in: slot))
        while slots[first + hole] != slot { hole = (hole + 1) & (Self.size - 1) }
        counts[bucket] -= 1
        // What comes after moves up into the hole, unless the hole lies before its start: no search may end too early.
        var place = (hole + 1) & (Self.size - 1)
        while slots[first + place] != Self.empty {
            let start = Self.start(of: Self.mark(in: slots[first + place]))
            if (place - start) & (Self.size - 1) >= (place - hole) & (Self.size - 1) {
                slots[first + hole] = slots[first + place]
                hole = place
            }
            place = (place + 1) & (Self.size - 1)
        }
        slots[first + hole] = Self.empty
    }

    // The lower half of a hash tells its bucket, from below, and the slot at which a search begins, from above.
    private static func mark(of hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) }
    private static func start(of mark: UInt32) -> Int { Int(mark >> 24) }
    private func bucket(of mark: UInt32) -> Int { Int(directory[Int(mark) & (directory.count - 1)]) }

    private static func slot(_ mark: UInt32, _ number: UInt32) -> UInt64 { UInt64(mark) << 32 | UInt64(number) }
    private static func mark(in slot: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: slot >> 32) }
    private static func number(in slot: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: slot) }

    private mutating func put(_ slot: UInt64, into bucket: Int) {
        let first = bucket * Self.size
        var place = Self.start(of: Self.mark(in: slot))
        while slots[first + place] != Self.empty { place = (place + 1) & (Self.size - 1) }
        slots[first + place] = slot
    }

    private func slots(in bucket: Int) -> [UInt64] {
        (bucket * Self.size..<(bucket + 1) * Self.size).map { slots[$0] }.filter { $0 != Self.empty }
    }

    /// Gives a hash with many entries a set of its own.
    ///
    /// - Returns: whether it has.
    private mutating func gather(_ mark: UInt32, in bucket: Int) -> Bool {
        let same = slots(in: bucket).filter { Self.mark(in: $0) == mark }
        guard same.count >= Self.crowd else { return false }
        var crowd = DeviceSet()
        for slot in same {
            remove(slot, from: bucket)
            crowd.insert(Self.number(in: slot))
        }
        crowds[mark] = crowd
        return true
    }

    /// * `mark`: of one of those that fall into the bucket.
    private mutating func split(_ bucket: Int, sharedBy mark: UInt32) {
        let depth = Int(depths[bucket])
        if 1 << depth == directory.count { directory += directory }
        let (bit, other) = (1 << depth, depths.count)
        let moving = slots(in: bucket)
        slots.append()
        depths[bucket] += 1
        depths.append(depths[bucket])
        counts.append(0)
        for place in bucket * Self.size..<(bucket + 1) * Self.size { slots[place] = Self.empty }
        counts[bucket] = 0
        for slot in moving {
            let target = Int(Self.mark(in: slot)) & bit == 0 ? bucket : other
            put(slot, into: target)
            counts[target] += 1
        }
        // What leads to the bucket and has the bit leads to the other one now.
        let shared = Int(mark) & (bit - 1)
        for place in stride(from: shared | bit, to: directory.count, by: bit << 1) { directory[place] = UInt32(other) }
    }

    /// Slots of 64 buckets in one piece of memory, so that a search asks for few of them.
    private struct Buckets {
        private static let atOnce = 64 * HashIndex.size
        private var pieces: ContiguousArray<ContiguousArray<UInt64>> = [
            ContiguousArray(repeating: HashIndex.empty, count: HashIndex.size)
        ]

        subscript(place: Int) -> UInt64 {
            @inline(__always) get { pieces[place / Self.atOnce][place % Self.atOnce] }
            set { pieces[place / Self.atOnce][place % Self.atOnce] = newValue }
        }

        mutating func append() {
            if pieces[pieces.count - 1].count == Self.atOnce { pieces.append([]) }
            pieces[pieces.count - 1].append(contentsOf: repeatElement(HashIndex.empty, count: HashIndex.size))
        }
    }
}
