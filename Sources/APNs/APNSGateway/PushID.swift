/// An apns-id in 16 octets, whatever the case of its digits.
package struct PushID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the form 8-4-4-4-12; nil for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    /// Reads the form 8-4-4-4-12 in ASCII; nil for anything else.
    init?(_ text: Span<UInt8>) {
        guard text.count == 36 else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<36 {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard text[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = HexDigit.value(text[index]) else { return nil }
            if index < 18 { halves.high = halves.high << 4 | digit } else { halves.low = halves.low << 4 | digit }
        }
        (high, low) = halves
    }

    /// Marked as made of random numbers (RFC 9562, section 5.4).
    var version4: PushID { PushID(high: high & ~0xF000 | 0x4000, low: low >> 2 | 1 << 63) }

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

/// The values of hexadecimal digits in ASCII.
enum HexDigit {
    static func value(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
