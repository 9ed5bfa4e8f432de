extension Unicode.Scalar {
    /// Whether the character controls how text is shown: it ends a line, sends a sequence to a terminal, or changes the direction of
    /// writing for what follows it. Joiners, which emoji have, and marks of direction do not count.
    package var isControl: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The number of the character, as `U+` and at least four digits.
    package var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension String {
    /// A description of the first character that names must not have; nil if there is none.
    package var controlInName: String? {
        unicodeScalars.first(where: \.isControl)?.codePoint
    }

    /// The text escaped for one line of output: `\n` and `\u{1B}` are written out.
    ///
    /// Otherwise a name or the content of a payload could end the line and forge another one, or send control sequences to the terminal.
    package var printed: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                text += scalar.escaped(asASCII: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

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

extension String {
    /// Whether it has no other characters than ASCII letters and digits.
    var isLettersAndDigits: Bool {
        let octets = utf8Span.span
        return octets.indices.allSatisfy { octets[$0].isLetterOrDigit }
    }
}

extension String {
    /// The text with a hyphen for each underscore.
    package var dashed: String {
        String(decoding: utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }
}
