extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal, two digits each.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Reads an even number of hexadecimal digits in either case; nil for anything else.
    public init?(hexadecimal text: some StringProtocol) {
        // An array, because other modules reach this generic code as it is, which asks the type of text for each octet.
        self.init(hexadecimalDigits: Array(text.utf8).span)
    }

    private init?(hexadecimalDigits digits: Span<UInt8>) {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place].hexadecimalDigit, let low = digits[place + 1].hexadecimalDigit else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self = bytes
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in either case; nil for any other character.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Span<UInt8> {
    /// Whether the octets are a UUID in text form: 8-4-4-4-12 hexadecimal digits, in either case (RFC 9562, section 4).
    package var isUUID: Bool {
        guard count == 36 else { return false }
        for place in indices {
            let octet = self[place]
            switch place {
            case 8, 13, 18, 23: guard octet == UInt8(ascii: "-") else { return false }
            default:
                let letter = octet | 0x20
                guard octet &- UInt8(ascii: "0") < 10 || letter &- UInt8(ascii: "a") < 6 else { return false }
            }
        }
        return true
    }
}

extension [UInt8] {
    /// Appends the decimal digits of a number, without a `String`: this runs several times for every push.
    package mutating func appendDecimal(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var start = digits.count
        var rest = number.magnitude
        repeat {
            start -= 1
            digits[start] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        append(addingCapacity: digits.count - start) { output in
            for place in start..<digits.count { output.append(digits[place]) }
        }
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit, 0 to 9.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether it is an ASCII letter or digit.
    package var isLetterOrDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
