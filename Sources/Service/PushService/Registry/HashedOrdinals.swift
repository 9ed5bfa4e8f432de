/// Which devices have what hash of 64 bits: the hash of each device and an index of ordinals, about 25 bytes a device where
/// dictionaries of texts take 200 and more.
///
/// Hashes are to come from ``hash(_:)``: whoever chooses what is hashed could else have all of it fall on one place.
package struct HashedOrdinals: Sendable {
    /// By ordinal; 0 stands for none.
    private var hashes = PieceColumn(blank: UInt64(0))
    private var size = 0
    private var index = HashIndex()

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
        if place >= size {
            guard hash != 0 else { return 0 }
            grow(to: place + 1)
        }
        let old = hashes[place]
        guard old != hash else { return old }
        if old != 0 { index.remove(ordinal, old) }
        hashes[place] = hash
        if hash != 0 { index.insert(ordinal, hash) }
        return old
    }

    /// Gives other hashes, of which none is 0, to some devices, each named once.
    package mutating func add(_ entries: [(ordinal: DeviceOrdinal, hash: UInt64)]) {
        guard let end = entries.map({ Int($0.ordinal) + 1 }).max() else { return }
        grow(to: end)
        for entry in entries { set(entry.hash, of: entry.ordinal) }
    }

    /// The devices with this hash, in rising order; it is not 0.
    package func devices(_ hash: UInt64) -> [DeviceOrdinal] {
        var found: [DeviceOrdinal] = []
        index.forEach(hash) { ordinal in
            if hashes[Int(ordinal)] == hash { found.append(ordinal) }
            return true
        }
        return found.count > 1 ? found.sorted() : found
    }

    /// The devices with any of these hashes, in no order; for a hash that comes twice, twice.
    func devices(anyOf wanted: [UInt64]) -> [DeviceOrdinal] {
        var candidates: [(ordinal: DeviceOrdinal, hash: UInt64)] = []
        candidates.reserveCapacity(wanted.count * 2)
        index.forEach(of: wanted) { hash, ordinal in candidates.append((ordinal, hash)) }
        let count = candidates.count
        return unsafe [DeviceOrdinal](unsafeUninitializedCapacity: count) { found, written in
            // Each is written, and stays if it counts: a processor that has no branch to guess reads many hashes at a time.
            for candidate in candidates {
                unsafe found[written] = candidate.ordinal
                written += hashes[Int(candidate.ordinal)] == candidate.hash ? 1 : 0
            }
        }
    }

    private mutating func grow(to size: Int) {
        guard size > self.size else { return }
        self.size = size
        hashes.grow(to: size)
    }
}
