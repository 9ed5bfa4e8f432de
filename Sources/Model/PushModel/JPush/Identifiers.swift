/// The key of a group of apps: 24 letters or digits.
package struct GroupKey: Hashable, Sendable, CustomStringConvertible {
    package var text: String

    /// Nil for a text that is not 24 letters or digits.
    package init?(_ text: String) {
        guard text.utf8.count == 24, text.isLettersAndDigits else { return nil }
        self.text = text
    }

    package var description: String { text }
}

extension String {
    /// Whether it has no other characters than ASCII letters and digits.
    var isLettersAndDigits: Bool {
        let octets = utf8Span.span
        return octets.indices.allSatisfy { octets[$0].isLetterOrDigit }
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter or digit.
    package var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
