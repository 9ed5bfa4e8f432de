/// An apns-id: a UUID in 16 octets, whatever the case of its digits.
package struct APNSID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the form 8-4-4-4-12; nil for anything else.
    package init?(_ text: String) {
        guard Array(text.utf8).span.isUUID, let octets = [UInt8](hexadecimal: text.replacing("-", with: "")) else {
            return nil
        }
        func word(_ range: Range<Int>) -> UInt64 { octets[range].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(0..<8), low: word(8..<16))
    }

    /// The id marked as random (RFC 9562, section 5.4).
    package var version4: APNSID { APNSID(high: high & ~0xF000 | 0x4000, low: low >> 2 | 1 << 63) }

    /// The form 8-4-4-4-12 in lower case.
    package var text: String {
        func digits(_ value: UInt64, _ count: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: count - text.count) + text
        }
        return [
            digits(high >> 32, 8), digits(high >> 16 & 0xFFFF, 4), digits(high & 0xFFFF, 4), digits(low >> 48, 4),
            digits(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}
