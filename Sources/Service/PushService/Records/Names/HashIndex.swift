/// A hash table from hashes to numbers, about 17 bytes per entry.
///
/// The numbers are stored in buckets of 256 slots, each with the lower half of its hash: a search rarely meets a wrong number, and
/// a bucket is split without recomputing hashes. A full bucket is split in two, so that no insertion ever waits for the whole table
/// to be rebuilt, however large it is.
///
/// Hashes must be seeded anew in each process: otherwise a party that chooses the keys could make them all fall into one bucket.
struct HashIndex: Sendable {
    /// The number of slots in a bucket; a search visits one bucket only.
    private static let size = 256
    /// The number of entries above which a bucket is split.
    private static let full = size * 3 / 4
    /// The number of entries at which a hash gets its own set, as no split would separate them.
    private static let crowd = 64
    private static let empty = UInt64.max

    /// The slots of all buckets in sequence.
    private var slots = Buckets(count: 1)
    /// For each bucket, the number of lowest bits that its hashes share, and the number of its entries.
    private var depths: ContiguousArray<UInt8> = [0]
    private var counts: ContiguousArray<UInt8> = [0]
    /// The buckets by the lowest bits of a hash, as many bits as the deepest bucket has.
    private var directory: ContiguousArray<UInt32> = [0]
    private var crowds: [UInt32: DeviceSet] = [:]

    init() {}

    /// Creates an index of the numbers below `count`, each with the hash that `hash` returns, or without one for 0.
    ///
    /// The entries are put in by groups of buckets that fit into the processor's cache, and no bucket is split on the way, which takes a
    /// fraction of the time of as many insertions.
    init(of count: Int, _ hash: (Int) -> UInt64) {
        let entries = (0..<count).count { hash($0) != 0 }
        // At most five eighths full: few buckets get so many more entries than others that they are split.
        var depth = 0
        while entries >> depth > Self.size * 5 / 8 { depth += 1 }
        depths = ContiguousArray(repeating: UInt8(depth), count: 1 << depth)
        counts = ContiguousArray(repeating: 0, count: 1 << depth)
        directory = ContiguousArray(0..<UInt32(1 << depth))
        slots = Buckets(count: 1 << depth)
        for slot in Self.slots(of: count, entries: entries, depth: depth, hash) {
            insert(Self.number(in: slot), mark: Self.mark(in: slot))
        }
    }

    /// Returns the slots of all entries by groups of neighbouring buckets, of which there are two to the power of `depth`.
    private static func slots(of count: Int, entries: Int, depth: Int, _ hash: (Int) -> UInt64) -> [UInt64] {
        // 512 buckets are a megabyte.
        let groups = max(1, (1 << depth) >> 9)
        func group(_ hash: UInt64) -> Int { (Int(mark(of: hash)) & ((1 << depth) - 1)) >> 9 }
        // A counting sort: first the number of entries of each group, then each entry in its place.
        var ends = [Int](repeating: 0, count: groups)
        for number in 0..<count {
            let hash = hash(number)
            if hash != 0 { ends[group(hash)] += 1 }
        }
        var end = 0
        for group in ends.indices { (ends[group], end) = (end, end + ends[group]) }
        var slots = [UInt64](repeating: 0, count: entries)
        for number in 0..<count {
            let hash = hash(number)
            guard hash != 0 else { continue }
            slots[ends[group(hash)]] = slot(mark(of: hash), UInt32(number))
            ends[group(hash)] += 1
        }
        return slots
    }

    /// The number of buckets.
    var bucketCount: Int { depths.count }

    /// Calls `body` with each number whose hash may be this one, in no particular order, until it returns false.
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

    /// Calls `body` with each number whose hash may be one of these, and with that hash, in no particular order.
    ///
    /// Each step runs for all hashes before the next: the table is larger than the processor's cache, and only this way do many
    /// memory accesses overlap.
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

    /// Adds a number that is not present; the highest value is reserved.
    mutating func insert(_ number: UInt32, _ hash: UInt64) { insert(number, mark: Self.mark(of: hash)) }

    private mutating func insert(_ number: UInt32, mark: UInt32) {
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

    /// Removes a number that is present with this hash.
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
        // Later entries move into the hole unless it precedes their start; otherwise searches would end too early.
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

    // The low bits of a hash's lower half select the bucket, the high bits the slot at which a search begins.
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

    /// Moves a hash with many entries to its own set.
    ///
    /// - Returns: whether it did.
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

    /// Splits a bucket, by the mark of any of its entries.
    private mutating func split(_ bucket: Int, sharedBy mark: UInt32) {
        let depth = Int(depths[bucket])
        if 1 << depth == directory.count { directory += directory }
        let bit = 1 << depth
        let other = depths.count
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
        // Directory entries of the bucket with this bit set now refer to the other one.
        let shared = Int(mark) & (bit - 1)
        for place in stride(from: shared | bit, to: directory.count, by: bit << 1) { directory[place] = UInt32(other) }
    }

    /// Slots in pieces of 64 buckets, to limit the number of allocations.
    private struct Buckets {
        private static let atOnce = 64 * HashIndex.size
        private var pieces: ContiguousArray<ContiguousArray<UInt64>> = []

        init(count: Int) {
            let slots = count * HashIndex.size
            for first in stride(from: 0, to: slots, by: Self.atOnce) {
                let size = min(Self.atOnce, slots - first)
                pieces.append(ContiguousArray(repeating: HashIndex.empty, count: size))
            }
        }

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
