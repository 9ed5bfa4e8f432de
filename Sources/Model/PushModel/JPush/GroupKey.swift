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
