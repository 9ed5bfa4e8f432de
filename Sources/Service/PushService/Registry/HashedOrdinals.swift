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
            size = (place | 63) + 1
            hashes.grow(to: size)
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

    /// Returns the other devices with the hash of a device, in ascending order; none if it has no hash.
    func others(of ordinal: DeviceOrdinal) -> [DeviceOrdinal] {
        let place = Int(ordinal)
        guard place < size, hashes[place] != 0 else { return [] }
        return devices(hashes[place]).filter { $0 != ordinal }
    }

    /// Returns the devices with any of these hashes: each once, in ascending order.
    func devices(anyOf wanted: [UInt64]) -> [DeviceOrdinal] {
        var candidates: [(ordinal: DeviceOrdinal, hash: UInt64)] = []
        candidates.reserveCapacity(wanted.count * 2)
        index.forEach(of: wanted) { hash, ordinal in candidates.append((ordinal, hash)) }
        let count = candidates.count
        let devices = unsafe [DeviceOrdinal](unsafeUninitializedCapacity: count) { found, written in
            // Each candidate is written and kept only if it matches: without a branch the processor reads many hashes at a time.
            for candidate in candidates {
                unsafe found[written] = candidate.ordinal
                written += hashes[Int(candidate.ordinal)] == candidate.hash ? 1 : 0
            }
        }
        return devices.sortedOnce()
    }

    /// Returns each of these hashes once for each device that has it; a hash listed twice counts its devices twice.
    func held(_ wanted: [UInt64]) -> [UInt64] {
        var found: [UInt64] = []
        index.forEach(of: wanted) { hash, ordinal in if hashes[Int(ordinal)] == hash { found.append(hash) } }
        return found
    }
}
