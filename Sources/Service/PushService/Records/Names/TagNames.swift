/// A table of numbers for tags, found by their octets: the same tags recur, and looking one up creates no string.
struct TagNames: Sendable {
    /// The tags by number; nil for a free number.
    private var names = Pieces<String?>()
    private var hashes = Pieces<UInt64>()
    private var index = HashIndex()
    private var free: [UInt32] = []

    /// The count of assigned numbers, including those that are free again.
    var count: Int { names.count }

    /// The number of tags.
    var tagCount: Int { names.count - free.count }

    /// All tags in the order of their numbers.
    var all: some Sequence<String> { names.lazy.compactMap(\.self) }

    /// The tag that has the number.
    subscript(number: UInt32) -> String { names[Int(number)] ?? "" }

    /// Returns the number of a tag; nil if it has none.
    func find(_ octets: Span<UInt8>) -> UInt32? { find(octets, KeyedHash.hash(octets)) }

    private func find(_ octets: Span<UInt8>, _ hash: UInt64) -> UInt32? {
        var found: UInt32?
        index.forEach(hash) { number in
            if hashes[Int(number)] == hash, Self.isSame(octets, self[number]) { found = number }
            return found == nil
        }
        return found
    }

    /// Returns the number of a tag, assigning one if needed.
    mutating func number(of octets: Span<UInt8>) -> UInt32 {
        let hash = KeyedHash.hash(octets)
        if let known = find(octets, hash) { return known }
        let name = unsafe octets.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        let number: UInt32
        if let old = free.popLast() {
            number = old
            names[Int(number)] = name
            hashes[Int(number)] = hash
        } else {
            number = UInt32(names.count)
            names.append(name)
            hashes.append(hash)
        }
        index.insert(number, hash)
        return number
    }

    /// Frees the number of a tag.
    mutating func remove(_ number: UInt32) {
        index.remove(number, hashes[Int(number)])
        names[Int(number)] = nil
        free.append(number)
    }

    private static func isSame(_ octets: Span<UInt8>, _ name: String) -> Bool {
        let name = name.utf8.span
        guard name.count == octets.count else { return false }
        for index in octets.indices where octets[index] != name[index] { return false }
        return true
    }
}
