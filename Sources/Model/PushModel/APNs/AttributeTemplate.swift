/// JSON with places for attributes of devices, compiled once for all of them.
///
/// A variable is `{{name|default}}`. Braces on both sides of it belong to it, as in `{{{name|default}}}`. Without a name, it stands for its
/// default on every device: `{{|{}}` is a brace that begins no variable (``Swift/String/withLiteralBraces``).
struct AttributeTemplate: Sendable {
    /// The default of a variable, which the value takes the place of.
    private struct Place {
        var range: Range<Int>
        var column: Int
    }

    /// The JSON with the defaults of all variables.
    private(set) var bytes: [UInt8]
    private var places: [Place] = []

    /// Compiles the variables that end before `end` in JSON, and adds their names to `columns`, each once.
    init(_ json: [UInt8], before end: Int, columns: inout [[UInt8]]) {
        bytes = []
        bytes.reserveCapacity(json.count)
        var copied = 0
        for variable in Self.variables(in: json, before: end) {
            bytes += json[copied..<variable.range.lowerBound]
            copied = variable.range.upperBound
            let start = bytes.count
            bytes += Self.fallback(json[variable.fallback])
            guard !variable.name.isEmpty else { continue }
            let name = Array(json[variable.name])
            let column = columns.firstIndex(of: name) ?? columns.count
            if column == columns.count { columns.append(name) }
            places.append(Place(range: start..<bytes.count, column: column))
        }
        bytes += json[copied...]
    }

    /// Creates JSON without variables.
    init(fixed json: [UInt8]) { bytes = json }

    /// Compiles a text as a JSON string.
    init(text: String, columns: inout [[UInt8]]) {
        let json = JSONValue.string(text).bytes
        self.init(json, before: json.count, columns: &columns)
    }

    /// Room for values in bytes.
    var valueBytes: Int { places.count * 32 }

    /// Appends the JSON with the values of a device, which are selected by the names of the columns.
    func write(_ values: borrowing AttributeValues, to output: inout [UInt8]) {
        var copied = 0
        for place in places {
            guard let value = values[place.column] else { continue }
            output.append(contentsOf: bytes[copied..<place.range.lowerBound])
            output.append(contentsOf: value)
            copied = place.range.upperBound
        }
        output.append(contentsOf: bytes[copied...])
    }

    /// Returns the text that was compiled as a JSON string, with values or else with the defaults.
    func text(with values: AttributeValues?) -> String? {
        var json: [UInt8] = []
        if let values { write(values, to: &json) } else { json = bytes }
        return (try? JSONValue(parsing: json))?.string
    }

    /// Returns a text with a space in place of each variable.
    static func text(without text: String) -> String {
        let json = JSONValue.string(text).bytes
        var rest: [UInt8] = []
        var copied = 0
        for variable in variables(in: json, before: json.count) {
            rest += json[copied..<variable.range.lowerBound]
            rest.append(UInt8(ascii: " "))
            copied = variable.range.upperBound
        }
        rest += json[copied...]
        return (try? JSONValue(parsing: rest))?.string ?? text
    }
}

// The search for variables.
extension AttributeTemplate {
    /// A variable within JSON.
    private struct Variable {
        var range: Range<Int>
        /// Empty for one that is the same on every device.
        var name: Range<Int>
        /// The text for a device without the attribute, escaped, with marks of literal braces.
        var fallback: Range<Int>
    }

    /// The longest name in bytes (``AttributeEdit/isName(_:)``).
    private static let nameBytes = 40
    /// Braces in a default that neither begin a variable nor end this one, with the byte that each stands for.
    private static let literals = [Array("{{|{}}".utf8), Array("{{|}}}".utf8)]

    /// Returns the variables that end before `end`, in their order.
    ///
    /// Takes linear time, because anybody may send a text that begins many variables and ends none.
    private static func variables(in bytes: [UInt8], before end: Int) -> [Variable] {
        var found: [Variable] = []
        var from = 0
        var place = 0
        // The end of a string in which no braces follow that end a variable.
        var endOfString = 0
        while place < end {
            guard place >= endOfString, let name = name(at: place, in: bytes[..<end]) else {
                place += 1
                continue
            }
            let start = name.upperBound + 1
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
            found.append(Variable(range: begin..<next, name: name, fallback: start..<fallbackEnd))
            from = next
            place = next
        }
        return found
    }

    /// Returns the name of the variable that may begin at a place within a JSON string; a bar follows it.
    private static func name(at place: Int, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard bytes[place...].starts(with: "{{".utf8) else { return nil }
        let name = bytes[(place + 2)...].prefix(nameBytes).prefix { $0 != UInt8(ascii: "|") }
        guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: "|") else { return nil }
        // The names of literal braces are empty, and no others.
        let isName =
            name.isEmpty
            ? literal(at: place, in: bytes) != nil : AttributeEdit.isName(String(decoding: name, as: UTF8.self))
        return isName ? name.startIndex..<name.endIndex : nil
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
