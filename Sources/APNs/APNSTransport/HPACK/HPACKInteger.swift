/// Integers with a prefix of a few bits (RFC 7541, section 5.1).
enum HPACKInteger {
    /// The largest accepted value, far above any legitimate one: four octets of continuation.
    static let maximum = 1 << 28

    /// Reads an integer whose first octet, at `offset`, has `prefix` bits of it.
    ///
    /// - Throws: a compression error if the block ends inside it or it is out of range.
    @inline(__always)
    static func read(_ bytes: Span<UInt8>, _ offset: inout Int, prefix: Int) throws(HTTP2ConnectionError) -> Int {
        let mask = (1 << prefix) - 1
        let first = Int(bytes[offset]) & mask
        offset += 1
        guard first == mask else { return first }
        return try readRest(bytes, &offset, after: first)
    }

    private static func readRest(
        _ bytes: Span<UInt8>,
        _ offset: inout Int,
        after first: Int
    ) throws(HTTP2ConnectionError) -> Int {
        var value = first
        var shift = 0
        while offset < bytes.count {
            let octet = Int(bytes[offset])
            offset += 1
            value += (octet & 0x7F) << shift
            guard value <= maximum else { break }
            if octet & 0x80 == 0 { return value }
            shift += 7
            guard shift <= 28 else { break }
        }
        throw HTTP2ConnectionError(.compressionError, "An integer is too large or cut off (RFC 7541, 5.1)")
    }

    /// Appends an integer after the bits that `pattern` sets in the first octet.
    static func write(_ value: Int, prefix: Int, pattern: UInt8, to output: inout WireBytes) {
        let mask = (1 << prefix) - 1
        guard value >= mask else {
            output.write(pattern | UInt8(value))
            return
        }
        output.write(pattern | UInt8(mask))
        var rest = value - mask
        while rest >= 0x80 {
            output.write(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        output.write(UInt8(rest))
    }
}
