/// A place in an alert text that is filled with an attribute of each device, and the bytes after it.
///
/// A variable is `{{name|default}}`. Braces on both sides of it belong to it, as in `{{{name|default}}}`. Without a name, it stands for its
/// default on every device: `{{|{}}` is a brace that begins no variable (``Swift/String/withLiteralBraces``).
struct PayloadVariable: Sendable {
    /// Empty for one that is the same on every device.
    let name: String
    /// The text for a device without the attribute, escaped.
    let fallback: [UInt8]
    var following: [UInt8] = []

    /// Appends the value, or the default without one, and what follows.
    func write(_ value: String?, to bytes: inout [UInt8]) {
        if let value {
            bytes.append(contentsOf: JSONValue.string(value).bytes.dropFirst().dropLast())
        } else {
            bytes.append(contentsOf: fallback)
        }
        bytes.append(contentsOf: following)
    }

    /// Returns a text with the values of its variables, or their defaults.
    static func text(_ text: String, with values: [String: String]) -> String {
        rewritten(text) { variable, bytes in variable.write(values[variable.name], to: &bytes) }
    }

    /// Returns a text with a space in place of each variable.
    static func text(without text: String) -> String {
        rewritten(text) { variable, bytes in bytes += [UInt8(ascii: " ")] + variable.following }
    }

    private static func rewritten(_ text: String, _ write: (PayloadVariable, inout [UInt8]) -> Void) -> String {
        let bytes = JSONValue.string(text).bytes
        var (rest, variables) = all(in: bytes, before: bytes.count)
        guard !variables.isEmpty else { return text }
        for variable in variables { write(variable, &rest) }
        return (try? JSONValue(parsing: rest))?.string ?? text
    }

    /// The longest name in bytes (``AttributeEdit/isName(_:)``).
    private static let nameBytes = 40
    /// Braces in a default that neither begin a variable nor end this one, with the byte that each stands for.
    private static let literals = [Array("{{|{}}".utf8), Array("{{|}}}".utf8)]

    /// Returns the bytes before the first variable, and the variables that end before `end`.
    ///
    /// Takes linear time, because anybody may send a text that begins many variables and ends none.
    static func all(in bytes: [UInt8], before end: Int) -> (head: [UInt8], variables: [PayloadVariable]) {
        var found = [PayloadVariable]()
        var head = bytes
        var from = 0
        var place = 0
        // The end of a string in which no braces follow that end a variable.
        var endOfString = 0
        while place < end {
            guard place >= endOfString, let (name, start) = name(at: place, in: bytes[..<end]) else {
                place += 1
                continue
            }
            let fallbackEnd = Self.end(of: bytes[start..<end])
            guard fallbackEnd < end, bytes[fallbackEnd] == UInt8(ascii: "}") else {
                endOfString = fallbackEnd
                place += 1
                continue
            }
            var begin = place
            var next = fallbackEnd + 2
            while !name.isEmpty, begin > from, bytes[begin - 1] == UInt8(ascii: "{"), next < end,
                bytes[next] == UInt8(ascii: "}")
            {
                begin -= 1
                next += 1
            }
            if found.isEmpty {
                head = Array(bytes[..<begin])
            } else {
                found[found.count - 1].following = Array(bytes[from..<begin])
            }
            found.append(PayloadVariable(name: name, fallback: fallback(bytes[start..<fallbackEnd])))
            from = next
            place = next
        }
        if !found.isEmpty { found[found.count - 1].following = Array(bytes[from...]) }
        return (head, found)
    }

    /// Returns the name of the variable that may begin at a place within a JSON string, and the place after its bar.
    private static func name(at place: Int, in bytes: ArraySlice<UInt8>) -> (name: String, next: Int)? {
        guard bytes[place...].starts(with: "{{".utf8) else { return nil }
        let name = bytes[(place + 2)...].prefix(nameBytes).prefix { $0 != UInt8(ascii: "|") }
        guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: "|") else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        // The names of literal braces are empty, and no others.
        let isName = text.isEmpty ? literal(at: place, in: bytes) != nil : AttributeEdit.isName(text)
        return isName ? (text, name.endIndex + 1) : nil
    }

    /// Returns the place of the next two closing braces, or of the end of the JSON string if it comes before.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int {
        var next = bytes.startIndex
        while next < bytes.endIndex, bytes[next] != UInt8(ascii: "\""), !bytes[next...].starts(with: "}}".utf8) {
            if let literal = literal(at: next, in: bytes) {
                next += literal.count
            } else {
                next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
            }
        }
        return min(next, bytes.endIndex)
    }

    private static func literal(at place: Int, in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes[place] == UInt8(ascii: "{") else { return nil }
        return literals.first { bytes[place...].starts(with: $0) }
    }

    /// Returns a default without the marks of its literal braces.
    private static func fallback(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var fallback: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let literal = literal(at: place, in: bytes)
            fallback.append(literal?[3] ?? bytes[place])
            place += literal?.count ?? 1
        }
        return fallback
    }
}

extension String {
    /// The text with its braces written so that none of it is a variable in an alert.
    var withLiteralBraces: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "{"): bytes += "{{|{}}".utf8
            case UInt8(ascii: "}"): bytes += "{{|}}}".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
