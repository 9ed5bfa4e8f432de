extension RandomNumberGenerator {
    /// Returns `count` random lower-case hexadecimal digits.
    package mutating func hexadecimalDigits(_ count: Int) -> String {
        // Sixteen digits at a time: each number costs a call to the system.
        var text = ""
        while text.utf8.count < count {
            let digits = String(next() as UInt64, radix: 16)
            text += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return String(text.prefix(count))
    }

    /// Returns a random UUID (RFC 9562, version 4), in lower case.
    package mutating func uuid() -> String { APNSID(high: next(), low: next()).version4.text }
}
