// Stores keep no text with a U+0000: PostgreSQL refuses it, and SQLite's text ends there. In the JSON of a push it is escaped, so
// notifications and messages may have it.

extension StringProtocol {
    /// Whether the text has the character U+0000, which names and ids must not have.
    package var hasNUL: Bool { utf8.contains(0) }
}

extension JSONValue {
    /// Whether a string in the value has the character U+0000, or the key of a member.
    package var hasNUL: Bool {
        switch self {
        case .string(let text): text.hasNUL
        case .array(let elements): elements.contains(where: \.hasNUL)
        case .object(let object): object.members.contains { $0.key.hasNUL || $0.value.hasNUL }
        case .null, .bool, .integer, .double, .decimal: false
        }
    }
}
