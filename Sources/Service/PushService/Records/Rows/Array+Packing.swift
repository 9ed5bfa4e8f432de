extension [UInt8] {
    /// Appends a number in groups of seven bits, the lowest first; the highest bit of an octet says that more follow.
    mutating func append(packing number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
