/// An error in a JSON document: which value, what was found and what was expected.
package struct JSONProblem: Error, Hashable, CustomStringConvertible {
    /// The path of the value, such as `faults[1].chance`; empty for the whole document.
    package var path: String
    package var found: String
    package var expected: String
    /// Whether the value is a member that the reader does not know, perhaps because its writer is newer.
    package var isUnknownKey: Bool

    package init(path: String, found: String, expected: String, isUnknownKey: Bool = false) {
        self.path = path
        self.found = found
        self.expected = expected
        self.isUnknownKey = isUnknownKey
    }

    /// Creates the problem of a value; `value` is nil if it is missing.
    package init(_ path: String, found value: JSONValue?, expected: String) {
        self.init(path: path, found: value?.shown ?? Self.missing, expected: expected)
    }

    /// Whether the value is a required member that is missing.
    package var isMissing: Bool { found == Self.missing }

    private static let missing = "missing"

    package var description: String {
        let subject = path.isEmpty ? "The document" : "Key '\(path)'"
        return "\(subject) is \(found); expected \(expected)."
    }
}

extension JSONValue {
    /// The value for an error message: the value itself if short, else its kind.
    var shown: String {
        switch self {
        case .integer, .double, .decimal, .bool, .null: text
        case .string(let string):
            string.utf8.count <= 64 ? "'\(string)'" : "a string of \(string.utf8.count) bytes"
        default: kind
        }
    }
}
