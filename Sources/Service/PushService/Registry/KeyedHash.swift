/// Hashes of names, seeded anew in each process, so that nobody can look for two with the same.
enum KeyedHash {
    /// A hash of the octets that is not 0.
    @inline(__always)
    static func hash(_ octets: Span<UInt8>) -> UInt64 {
        var hasher = Hasher()
        unsafe octets.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return max(1, UInt64(truncatingIfNeeded: UInt(bitPattern: hasher.finalize())))
    }

    static func hash(_ name: String) -> UInt64 { hash(name.utf8.span) }
}
