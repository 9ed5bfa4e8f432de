/// Numbers by the hashes of what they stand for, about eight bytes each.
///
/// The numbers lie in buckets of 256 slots. A bucket that fills is split in two, so that no entry ever waits for the whole table
/// to be built anew, however large it is. Whoever uses the table knows the hash of each number in it.
///
/// Hashes are to be seeded anew in each process: whoever chooses what is hashed could else have all of it fall into one bucket.
struct HashIndex: Sendable {
    /// Slots of a bucket; a search looks at those of one bucket alone.
    private static let size = 256
    /// A bucket with more entries than this is split.
    private static let full = size * 3 / 4
    /// A hash with more entries than this gets a set of its own, as no split would tell them apart.
    private static let crowd = 64
    private static let empty = UInt32.max

    /// The slots of all buckets, one bucket behind the other.
    private var slots = Buckets()
    /// For each bucket, how many of the lowest bits its hashes share, and the number of its entries.
    private var depths: ContiguousArray<UInt8> = [0]
    private var counts: ContiguousArray<UInt8> = [0]
    /// Buckets by the lowest bits of a hash, as many bits as the deepest bucket has.
    private var directory: ContiguousArray<UInt32> = [0]
    private var crowds: [UInt64: DeviceSet] = [:]

    init() {}

    /// The number of buckets.
    var bucketCount: Int { depths.count }

    /// Calls `body` with each number whose hash may be this one, in no order, until it returns false.
    @inline(__always)
    func forEach(_ hash: UInt64, _ body: (UInt32) -> Bool) {
        let first = Int(directory[Int(truncatingIfNeeded: hash) & (directory.count - 1)]) * Self.size
        var place = Self.start(of: hash)
        while true {
            let number = slots[first + place]
            guard number != Self.empty else { break }
            guard body(number) else { return }
            place = (place + 1) & (Self.size - 1)
        }
        if !crowds.isEmpty, let crowd = crowds[hash] {
            for number in crowd.ordinals { guard body(number) else { return } }
        }
    }

    /// Calls `body` with each number whose hash may be one of these, and with that hash, in no order.
    ///
    /// One step for all hashes after the other: the table is larger than the processor's cache, and only so does a search wait for
    /// many places together.
    func forEach(of hashes: [UInt64], _ body: (UInt64, UInt32) -> Void) {
        let starts = hashes.map { hash in
            let place = bucket(of: hash) * Self.size + Self.start(of: hash)
            return (place: place, number: slots[place])
        }
        for (hash, start) in zip(hashes, starts) {
            var (place, number) = start
            while number != Self.empty {
                body(hash, number)
                place = place & ~(Self.size - 1) | (place + 1) & (Self.size - 1)
                number = slots[place]
            }
            guard !crowds.isEmpty, let crowd = crowds[hash] else { continue }
            for number in crowd.ordinals { body(hash, number) }
        }
    }

    /// Adds a number that is not there.
    ///
    /// * `hashes`: of each number that is there, its hash.
    mutating func insert(_ number: UInt32, _ hash: UInt64, hashes: (UInt32) -> UInt64) {
        if !crowds.isEmpty, crowds[hash] != nil {
            crowds[hash]?.insert(number)
            return
        }
        var bucket = bucket(of: hash)
        while counts[bucket] >= Self.full {
            if gather(hash, in: bucket, hashes) {
                crowds[hash]?.insert(number)
                return
            }
            split(bucket, sharedBy: hash, hashes)
            bucket = self.bucket(of: hash)
        }
        put(number, hash, into: bucket)
        counts[bucket] += 1
    }

    /// Removes a number that is there with this hash.
    mutating func remove(_ number: UInt32, _ hash: UInt64, hashes: (UInt32) -> UInt64) {
        if !crowds.isEmpty, crowds[hash] != nil {
            crowds[hash]?.remove(number)
            if crowds[hash]?.isEmpty == true { crowds[hash] = nil }
            return
        }
        let bucket = bucket(of: hash)
        let first = bucket * Self.size
        var hole = Self.start(of: hash)
        while slots[first + hole] != number { hole = (hole + 1) & (Self.size - 1) }
        counts[bucket] -= 1
        // What comes after moves up into the hole, unless the hole lies before its start: no search may end too early.
        var place = (hole + 1) & (Self.size - 1)
        while slots[first + place] != Self.empty {
            let start = Self.start(of: hashes(slots[first + place]))
            if (place - start) & (Self.size - 1) >= (place - hole) & (Self.size - 1) {
                slots[first + hole] = slots[first + place]
                hole = place
            }
            place = (place + 1) & (Self.size - 1)
        }
        slots[first + hole] = Self.empty
    }

    private func bucket(of hash: UInt64) -> Int {
        Int(directory[Int(truncatingIfNeeded: hash) & (directory.count - 1)])
    }

    /// The slot at which a search begins, from other bits than those that choose the bucket.
    private static func start(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 56) }

    private mutating func put(_ number: UInt32, _ hash: UInt64, into bucket: Int) {
        let first = bucket * Self.size
        var place = Self.start(of: hash)
        while slots[first + place] != Self.empty { place = (place + 1) & (Self.size - 1) }
        slots[first + place] = number
    }

    private func numbers(in bucket: Int) -> [UInt32] {
        (bucket * Self.size..<(bucket + 1) * Self.size).map { slots[$0] }.filter { $0 != Self.empty }
    }

    /// Gives a hash with many entries a set of its own.
    ///
    /// - Returns: whether it has.
    private mutating func gather(_ hash: UInt64, in bucket: Int, _ hashes: (UInt32) -> UInt64) -> Bool {
        let same = numbers(in: bucket).filter { hashes($0) == hash }
        guard same.count >= Self.crowd else { return false }
        for number in same { remove(number, hash, hashes: hashes) }
        var crowd = DeviceSet()
        for number in same { crowd.insert(number) }
        crowds[hash] = crowd
        return true
    }

    /// * `hash`: one of those that fall into the bucket.
    private mutating func split(_ bucket: Int, sharedBy hash: UInt64, _ hashes: (UInt32) -> UInt64) {
        let depth = Int(depths[bucket])
        if 1 << depth == directory.count { directory += directory }
        let (bit, other) = (1 << depth, depths.count)
        slots.append()
        depths[bucket] += 1
        depths.append(depths[bucket])
        counts.append(0)
        let moving = numbers(in: bucket)
        for place in bucket * Self.size..<(bucket + 1) * Self.size { slots[place] = Self.empty }
        counts[bucket] = 0
        for number in moving {
            let hash = hashes(number)
            let target = Int(truncatingIfNeeded: hash) & bit == 0 ? bucket : other
            put(number, hash, into: target)
            counts[target] += 1
        }
        // What leads to the bucket and has the bit leads to the other one now.
        let shared = Int(truncatingIfNeeded: hash) & (bit - 1)
        for place in stride(from: shared | bit, to: directory.count, by: bit << 1) { directory[place] = UInt32(other) }
    }

    /// Slots of 64 buckets in one piece of memory, so that a search asks for few of them.
    private struct Buckets {
        private static let atOnce = 64 * HashIndex.size
        private var pieces: ContiguousArray<ContiguousArray<UInt32>> = [
            ContiguousArray(repeating: HashIndex.empty, count: HashIndex.size)
        ]

        subscript(place: Int) -> UInt32 {
            @inline(__always) get { pieces[place / Self.atOnce][place % Self.atOnce] }
            set { pieces[place / Self.atOnce][place % Self.atOnce] = newValue }
        }

        mutating func append() {
            if pieces[pieces.count - 1].count == Self.atOnce { pieces.append([]) }
            pieces[pieces.count - 1].append(contentsOf: repeatElement(HashIndex.empty, count: HashIndex.size))
        }
    }
}
