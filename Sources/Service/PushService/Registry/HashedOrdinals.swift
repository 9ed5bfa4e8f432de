/// The 64-bit hash of each device and an index of ordinals by hash, about 25 bytes per device, where dictionaries of strings take
/// 200 and more.
///
/// Hashes must come from ``hash(_:)``: otherwise a party that chooses the keys could make them all collide.
package struct HashedOrdinals: Sendable {
    /// The hashes by ordinal; 0 stands for none.
    private var hashes = PieceColumn(blank: UInt64(0))
    private var size = 0
    private var index = HashIndex()
    /// Whether ``index`` is to be made when all hashes are there.
    private var isIndexMissing = false

    package init() {}

    /// Returns a nonzero hash, seeded anew in each process, so that nobody can search for collisions.
    package static func hash(_ value: some Hashable) -> UInt64 {
        max(1, UInt64(truncatingIfNeeded: UInt(bitPattern: value.hashValue)))
    }

    /// Sets the hash of a device; 0 removes it.
    ///
    /// - Returns: the previous hash.
    @discardableResult
    package mutating func set(_ hash: UInt64, of ordinal: DeviceOrdinal) -> UInt64 {
        let place = Int(ordinal)
        if place >= size {
            guard hash != 0 else { return 0 }
            // Makes room for up to 64 devices at a time, as new ones usually have neighbouring ordinals.
            grow(to: (place | 63) + 1)
        }
        let old = hashes[place]
        guard old != hash else { return old }
        guard !isIndexMissing else {
            hashes[place] = hash
            return old
        }
        if old != 0 { index.remove(ordinal, old) }
        hashes[place] = hash
        if hash != 0 { index.insert(ordinal, hash) }
        return old
    }

    /// Sets nonzero hashes of some devices. They are not found before ``makeIndex()``.
    package mutating func read(_ entries: [(ordinal: DeviceOrdinal, hash: UInt64)]) {
        isIndexMissing = true
        for entry in entries { set(entry.hash, of: entry.ordinal) }
    }

    /// Sets nonzero hashes of some devices.
    mutating func add(_ entries: [(ordinal: DeviceOrdinal, hash: UInt64)]) {
        for entry in entries { set(entry.hash, of: entry.ordinal) }
    }

    /// Makes the index of the hashes that were read.
    package mutating func makeIndex() {
        guard isIndexMissing else { return }
        isIndexMissing = false
        index = HashIndex(of: size) { hashes[$0] }
    }

    /// Returns the devices with this hash, which is not 0, in ascending order.
    package func devices(_ hash: UInt64) -> [DeviceOrdinal] {
        var found: [DeviceOrdinal] = []
        index.forEach(hash) { ordinal in
            if hashes[Int(ordinal)] == hash { found.append(ordinal) }
            return true
        }
        return found.count > 1 ? found.sorted() : found
    }

    /// Returns the devices with any of these hashes, in no particular order; a hash listed twice gives its devices twice.
    func devices(anyOf wanted: [UInt64]) -> [DeviceOrdinal] {
        var candidates: [(ordinal: DeviceOrdinal, hash: UInt64)] = []
        candidates.reserveCapacity(wanted.count * 2)
        index.forEach(of: wanted) { hash, ordinal in candidates.append((ordinal, hash)) }
        let count = candidates.count
        return unsafe [DeviceOrdinal](unsafeUninitializedCapacity: count) { found, written in
            // Each candidate is written and kept only if it matches: without a branch the processor reads many hashes at a time.
            for candidate in candidates {
                unsafe found[written] = candidate.ordinal
                written += hashes[Int(candidate.ordinal)] == candidate.hash ? 1 : 0
            }
        }
    }

    /// Returns each of these hashes once for each device that has it; a hash listed twice counts its devices twice.
    func held(_ wanted: [UInt64]) -> [UInt64] {
        var found: [UInt64] = []
        index.forEach(of: wanted) { hash, ordinal in if hashes[Int(ordinal)] == hash { found.append(hash) } }
        return found
    }

    private mutating func grow(to size: Int) {
        guard size > self.size else { return }
        self.size = size
        hashes.grow(to: size)
    }
}

/// The devices of each alias, without storing the aliases themselves.
///
/// Two aliases of one app with the same hash would be confused. The hash is seeded anew in each process, so nobody can search for
/// such a pair, and among a million aliases one in 10^13 lookups collides by chance.
struct AliasTable: Sendable {
    private var table = HashedOrdinals()

    /// Sets the alias of a device; nil removes it.
    mutating func set(_ alias: String?, of ordinal: DeviceOrdinal) {
        table.set(alias.map { KeyedHash.hash($0) } ?? 0, of: ordinal)
    }

    /// Sets the aliases of some devices, by hash. They are not found before ``makeIndex()``.
    mutating func read(_ aliases: [(ordinal: DeviceOrdinal, hash: UInt64)]) { table.read(aliases) }

    /// Sets the aliases of some devices, by hash.
    mutating func add(_ aliases: [(ordinal: DeviceOrdinal, hash: UInt64)]) { table.add(aliases) }

    /// Makes the index of the aliases that were read.
    mutating func makeIndex() { table.makeIndex() }

    /// Returns the devices with an alias, in ascending order.
    func devices(_ alias: String) -> [DeviceOrdinal] { table.devices(KeyedHash.hash(alias)) }

    /// Returns each of these aliases, given as hashes, once for each device that has it.
    func held(_ hashes: [UInt64]) -> [UInt64] { table.held(hashes) }

    /// Returns the devices with one of these aliases, given as hashes: each once, in ascending order.
    func devices(_ hashes: [UInt64]) -> [DeviceOrdinal] { table.devices(anyOf: hashes).sortedOnce() }
}
