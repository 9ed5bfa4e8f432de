/// Takes an input apart: the first octets decide how, the rest is what.
struct Reader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next octet, 0 when there are no more.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(taken)
    }
}

/// The same octets as they may arrive: all at once, or in pieces whose sizes a seed decides.
func chunks(_ bytes: [UInt8], seed: UInt8) -> [[UInt8]] {
    var state = UInt32(seed) &* 2_654_435_761 &+ 1
    var chunks: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
        state = state &* 1_664_525 &+ 1_013_904_223
        // Mostly a few octets, now and then many: cuts fall into headers and into payloads.
        let size = state >> 28 == 0 ? 4096 : 1 + Int(state >> 16) % (seed & 1 == 0 ? 13 : 97)
        let end = min(bytes.count, start + size)
        chunks.append(Array(bytes[start..<end]))
        start = end
    }
    return chunks.isEmpty ? [[]] : chunks
}
