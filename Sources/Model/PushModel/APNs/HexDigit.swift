/// The values of hexadecimal digits in ASCII.
package enum HexDigit {
    /// Returns the value of 16 digits; nil if one of them is invalid.
    @inlinable
    @inline(__always)
    package static func word(_ digits: Span<UInt8>, _ start: Int) -> UInt64? {
        guard let high = half(digits.bigEndian64(at: start)), let low = half(digits.bigEndian64(at: start + 8)) else {
            return nil
        }
        return high << 32 | low
    }

    /// Returns the value of 8 digits, most significant first, computed in parallel in the bytes of one word.
    @inlinable
    @inline(__always)
    package static func half(_ text: UInt64) -> UInt64? {
        // In each byte, bit 7 says whether the digit or lower-case letter is at least, or above, a bound.
        let lower = text | 0x2020_2020_2020_2020
        let top: UInt64 = 0x8080_8080_8080_8080
        let isDigit = (text &+ 0x5050_5050_5050_5050) & ~(text &+ 0x4646_4646_4646_4646)
        let isLetter = (lower &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(lower &+ 0x1919_1919_1919_1919)
        guard text & top == 0, (isDigit | isLetter) & top == top else { return nil }
        var value = (text & 0x0F0F_0F0F_0F0F_0F0F) &+ 9 &* (text >> 6 & 0x0101_0101_0101_0101)
        // Nibbles to bytes to words.
        value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
        return (value | value >> 16) & 0xFFFF_FFFF
    }
}

extension Span where Element == UInt8 {
    /// The eight octets from `start` as one big-endian number.
    @inlinable
    @inline(__always)
    package func bigEndian64(at start: Int) -> UInt64 {
        precondition(start >= 0 && start <= count - 8, "Fewer than eight octets are left to read.")
        // Checked just now.
        return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self).bigEndian
    }
}
