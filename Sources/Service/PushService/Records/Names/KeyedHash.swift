/// Hashes of names, keyed anew in each process, so that nobody can search for collisions.
///
/// Nearly all names have at most 40 octets. Those are hashed by a sum of products with secret 128-bit numbers, of which the upper
/// half is used: any two names collide with a probability of 2⁻⁶⁴, even if an adversary chose them (Lemire and Kaser, "Strongly
/// universal string hashing is fast", 2013). It takes a quarter of the time of the standard library's `Hasher`, which hashes longer
/// names.
enum KeyedHash {
    private static let words = 5
    /// The length in octets of the longest name that is hashed this way.
    private static let longest = words * 8

    private struct Key: Sendable {
        let start: UInt128
        let count: UInt128
        let words: InlineArray<5, UInt128>

        init() {
            var generator = SystemRandomNumberGenerator()
            func next() -> UInt128 { UInt128.random(in: 0...(.max), using: &generator) }
            start = next()
            count = next()
            words = InlineArray { _ in next() }
        }
    }

    private static let key = Key()

    /// Returns a nonzero hash of the octets.
    static func hash(_ octets: Span<UInt8>) -> UInt64 { hash(octets, key) }

    static func hash(_ name: String) -> UInt64 { hash(name.utf8.span, key) }

    static func hashes(_ names: [String]) -> [UInt64] {
        // Each access to the static key checks whether it is initialised.
        let key = key
        return names.map { hash($0.utf8.span, key) }
    }

    @inline(__always)
    private static func hash(_ octets: Span<UInt8>, _ key: Key) -> UInt64 {
        unsafe octets.withUnsafeBytes { octets in
            octets.count <= longest ? unsafe short(octets, key) : unsafe long(octets)
        }
    }

    @inline(__always)
    private static func short(_ octets: UnsafeRawBufferPointer, _ key: Key) -> UInt64 {
        let count = octets.count
        // With the number of octets the words identify a name, although the last may overlap the previous one.
        var sum = key.start &+ key.count &* UInt128(UInt64(count))
        func add(_ word: UInt64, _ place: Int) { sum &+= key.words[place] &* UInt128(word) }
        func word(at place: Int) -> UInt64 { unsafe octets.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
        func half(at place: Int) -> UInt64 {
            unsafe UInt64(octets.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        }
        if count >= 8 {
            var place = 0
            while place + 8 <= count {
                add(word(at: place), place >> 3)
                place += 8
            }
            if place < count { add(word(at: count - 8), place >> 3) }
        } else if count >= 4 {
            add(half(at: 0) | half(at: count - 4) << 32, 0)
        } else if count > 0 {
            unsafe add(UInt64(octets[0]) | UInt64(octets[count / 2]) << 8 | UInt64(octets[count - 1]) << 16, 0)
        }
        // Otherwise names at regular intervals would have hashes at regular intervals.
        var hash = UInt64(truncatingIfNeeded: sum >> 64)
        hash ^= hash >> 32
        hash &*= 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
        return max(1, hash)
    }

    @inline(never)
    private static func long(_ octets: UnsafeRawBufferPointer) -> UInt64 {
        var hasher = Hasher()
        unsafe hasher.combine(bytes: octets)
        return max(1, UInt64(truncatingIfNeeded: UInt(bitPattern: hasher.finalize())))
    }
}
