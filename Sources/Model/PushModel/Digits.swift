extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal, two digits each.
    public var hexadecimal: String {
        var text: [UInt8] = []
        for byte in self { text.appendHexadecimal(byte) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Reads an even number of hexadecimal digits in either case; nil for anything else.
    public init?(hexadecimal text: some StringProtocol) {
        // An array, because other modules reach this generic code as it is, which asks the type of text for each octet.
        self.init(hexadecimalDigits: Array(text.utf8).span)
    }

    init?(hexadecimalDigits digits: Span<UInt8>) {
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

    /// Appends an octet as two lower-case hexadecimal digits.
    mutating func appendHexadecimal(_ octet: UInt8) {
        append((octet >> 4).asHexadecimalDigit)
        append((octet & 15).asHexadecimalDigit)
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in either case; nil for any other character.
    package var hexadecimalDigit: UInt8? {
        // Without a branch for each kind of digit: nothing foresees the next digit of a token.
        let number = self &- UInt8(ascii: "0")
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        let isNumber = number < 10
        return isNumber != (letter < 6) ? (isNumber ? number : letter &+ 10) : nil
    }

    /// The lower-case hexadecimal digit of a value from 0 to 15.
    fileprivate var asHexadecimalDigit: UInt8 { self + (self < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
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
