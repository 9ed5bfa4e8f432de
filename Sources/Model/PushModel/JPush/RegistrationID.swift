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
