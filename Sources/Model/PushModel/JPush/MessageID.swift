/// The `msg_id` of a push: a positive number, in JSON a string of decimal digits.
package struct MessageID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var number: Int64

    package init(_ number: Int64) { self.number = number }

    /// Parses decimal digits; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.allSatisfy(\.isDigit), let number = Int64(text) else { return nil }
        self.number = number
    }

    package var description: String { String(number) }
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
