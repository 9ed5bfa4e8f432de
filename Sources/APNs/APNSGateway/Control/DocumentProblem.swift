/// An error in a JSON document that was written for the gateway.
package struct DocumentProblem: Error, Hashable, CustomStringConvertible {
    /// The path of the value, such as `faults[1].chance`; empty for the whole document.
    package var key: String
    package var found: String
    package var expected: String

    package var description: String {
        let subject = key.isEmpty ? "The document" : "Key '\(key)'"
        return "\(subject) is \(found); expected \(expected)."
    }
}
