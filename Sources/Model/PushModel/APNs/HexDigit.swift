import PushModel

extension APNSID {
    /// Reads the form 8-4-4-4-12 in ASCII; nil for anything else.
    init?(_ text: Span<UInt8>) {
        func isDash(_ offset: Int) -> Bool { text[offset] == UInt8(ascii: "-") }
        guard text.count == 36, isDash(8), isDash(13), isDash(18), isDash(23) else { return nil }
        /// Returns four digits from one offset, and four from another.
        func digits(at first: Int, and second: Int) -> UInt64? {
            let upper = text.bigEndian64(at: first) & 0xFFFF_FFFF_0000_0000
            return HexDigit.half(upper | text.bigEndian64(at: second) >> 32)
        }
        guard let first = HexDigit.half(text.bigEndian64(at: 0)), let second = digits(at: 9, and: 14),
            let third = digits(at: 19, and: 24), let fourth = HexDigit.half(text.bigEndian64(at: 28))
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }
}

/// The values of hexadecimal digits in ASCII.
enum HexDigit {
    /// Returns the value of 16 digits; nil if one of them is invalid.
    @inline(__always)
    static func word(_ digits: Span<UInt8>, _ start: Int) -> UInt64? {
        guard let high = half(digits.bigEndian64(at: start)), let low = half(digits.bigEndian64(at: start + 8)) else {
            return nil
        }
        return high << 32 | low
    }

    /// Returns the value of 8 digits, most significant first, computed in parallel in the bytes of one word.
    @inline(__always)
    static func half(_ text: UInt64) -> UInt64? {
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
    @inline(__always)
    func bigEndian64(at start: Int) -> UInt64 {
        precondition(start >= 0 && start <= count - 8, "Fewer than eight octets are left to read.")
        // Checked just now.
        return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self).bigEndian
    }
}
