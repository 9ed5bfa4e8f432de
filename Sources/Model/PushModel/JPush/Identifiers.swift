/// The `msg_id` of a push: a positive number, in JSON a string of decimal digits.
package struct MessageID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var number: Int64

    package init(_ number: Int64) { self.number = number }

    /// Parses decimal digits; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text)
        else { return nil }
        self.number = number
    }

    package var description: String { String(number) }
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The service's identifier of one app on one device: opaque, 1 to 64 letters and digits.
package struct RegistrationID: Hashable, Sendable, CustomStringConvertible {
    package var text: String

    /// Nil for an invalid registration id.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.isLettersAndDigits else { return nil }
        self.text = text
    }

    package var description: String { text }
}

/// The key of an app: 24 letters or digits.
package struct AppKey: Hashable, Sendable, CustomStringConvertible {
    package var text: String

    /// Nil for a text that is not 24 letters or digits.
    package init?(_ text: String) {
        guard text.utf8.count == 24, text.isLettersAndDigits else { return nil }
        self.text = text
    }

    package var description: String { text }
}

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
    fileprivate var isLettersAndDigits: Bool {
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
