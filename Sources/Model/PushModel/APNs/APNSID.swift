/// An apns-id: a UUID in 16 octets, whatever the case of its digits.
package struct APNSID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the form 8-4-4-4-12; nil for anything else.
    package init?(_ text: String) { self.init(text.utf8Span.span) }

    /// Reads the form 8-4-4-4-12 in ASCII; nil for anything else.
    package init?(_ text: Span<UInt8>) {
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

    /// The id marked as random (RFC 9562, section 5.4).
    package var version4: APNSID { APNSID(high: high & ~0xF000 | 0x4000, low: low >> 2 | 1 << 63) }

    /// The form 8-4-4-4-12 in lower case.
    package var text: String {
        var octets: [UInt8] = []
        octets.reserveCapacity(36)
        for place in 0..<16 {
            if place == 4 || place == 6 || place == 8 || place == 10 { octets.append(UInt8(ascii: "-")) }
            let word = place < 8 ? high : low
            octets.appendHexadecimal(UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(place % 8))))
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
