extension [UInt8] {
    /// Appends lower-case hexadecimal digits.
    package mutating func appendHexadecimal(_ data: Span<UInt8>) {
        reserveCapacity(count + 2 * data.count)
        let whole = data.count & ~3
        for place in stride(from: 0, to: whole, by: 4) {
            let digits = HexDigits.eight(data.bigEndian32(at: place)).bigEndian
            // The number outlives the access to its octets.
            unsafe Swift.withUnsafeBytes(of: digits) { bytes in unsafe append(contentsOf: bytes) }
        }
        for index in whole..<data.count {
            let digits = HexDigits.pair(data[index])
            append(digits.0)
            append(digits.1)
        }
    }

    /// Appends the usual form of a UUID in lower case (RFC 9562, section 4).
    package mutating func appendUUID(_ high: UInt64, _ low: UInt64) {
        let dash = UInt8(ascii: "-")
        var text = InlineArray<36, UInt8>(repeating: dash)
        func put(_ digits: UInt64, _ count: Int, at place: Int) {
            for index in 0..<count { text[place + index] = UInt8(truncatingIfNeeded: digits >> UInt64(56 - 8 * index)) }
        }
        let words = (
            HexDigits.eight(UInt32(truncatingIfNeeded: high >> 32)), HexDigits.eight(UInt32(truncatingIfNeeded: high)),
            HexDigits.eight(UInt32(truncatingIfNeeded: low >> 32)), HexDigits.eight(UInt32(truncatingIfNeeded: low))
        )
        put(words.0, 8, at: 0)
        put(words.1, 4, at: 9)
        put(words.1 << 32, 4, at: 14)
        put(words.2, 4, at: 19)
        put(words.2 << 32, 4, at: 24)
        put(words.3, 8, at: 28)
        append(text.span)
    }
}

/// Lower-case hexadecimal digits by arithmetic.
private enum HexDigits {
    @inline(__always)
    static func pair(_ byte: UInt8) -> (UInt8, UInt8) { (digit(byte >> 4), digit(byte & 15)) }

    /// Returns the digits of a number, most significant first, computed in parallel in the bytes of one word.
    @inline(__always)
    static func eight(_ value: UInt32) -> UInt64 {
        // Halves, octets, then nibbles, each into its own byte.
        var digits = UInt64(value)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Values from 10 on are letters, 39 code points after the next digit would be.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 48 : 87) }
}
