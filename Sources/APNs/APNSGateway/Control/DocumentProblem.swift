/// What is wrong with a JSON document that somebody wrote for the gateway.
package struct DocumentProblem: Error, Hashable, CustomStringConvertible {
    /// Where it stands, such as `faults[1].chance`; empty for the whole document.
    package var key: String
    package var found: String
    package var expected: String

    package var description: String {
        let subject = key.isEmpty ? "The document" : "Key '\(key)'"
        return "\(subject) is \(found); expected \(expected)."
    }
}
