extension JSONValue {
    /// Parses one JSON text (RFC 8259).
    ///
    /// It is stricter than Foundation on Linux: a trailing comma is an error. Nesting is limited to 128 levels.
    public init(parsing text: some Sequence<UInt8>) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: Array(text))
        self = try parser.document()
    }

    /// Parses one JSON text (RFC 8259), as with its bytes.
    public init(parsing text: String) throws(JSONSyntaxError) { try self.init(parsing: text.utf8) }
}

/// Parses a JSON text from beginning to end: a value at a time, or an object member by member for callers to whom the whole
/// object would be too large.
package struct JSONParser {
    package let bytes: [UInt8]
    /// The position of the next token, or of whitespace before it.
    private(set) var at = 0
    private var depth = 0
    /// The number of nulls and empty arrays read so far.
    private(set) var empties = 0

    package init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        try start()
        let value = try value()
        try end()
        return value
    }

    /// Advances to the first token; a value is read next.
    package mutating func start() throws(JSONSyntaxError) {
        if let encoding { throw error("the text is in \(encoding); save or send it in UTF-8") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        skipBlanks()
        guard at < bytes.count else { throw error("the text is empty; a JSON value was expected") }
    }

    /// The encoding of a text that is not in UTF-8, by its mark or the zeros beside its first character, which is in ASCII; nil for others.
    ///
    /// Source: RFC 4627, section 3.
    private var encoding: String? {
        guard bytes.count > 1, bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE else { return nil }
        let zeros = bytes.prefix(4).count { $0 == 0 }
        // Each character of UTF-32 has two zeros or more, and the mark has two.
        let isWide = bytes.count >= 4 && (zeros == 3 || zeros == 2 && bytes.prefix(4).contains(0xFE))
        return isWide ? "UTF-32" : "UTF-16"
    }

    /// - Throws: if text remains.
    package mutating func end() throws(JSONSyntaxError) {
        skipBlanks()
        guard at == bytes.count else { throw error("text after the end of the JSON value") }
    }

    /// Whether the next value is an object.
    package var isAtObject: Bool { at < bytes.count && bytes[at] == UInt8(ascii: "{") }

    /// Whether the next value is an array.
    package var isAtArray: Bool { at < bytes.count && bytes[at] == UInt8(ascii: "[") }

    /// Enters the next object; its members follow.
    ///
    /// - Returns: whether the object has any members.
    package mutating func enterObject() throws(JSONSyntaxError) -> Bool {
        try enter()
        skipBlanks()
        guard take(UInt8(ascii: "}")) else { return true }
        depth -= 1
        return false
    }

    /// Reads the next member's key; its value is read next.
    package mutating func key() throws(JSONSyntaxError) -> String {
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
            throw error("\(here) where a key in quotes was expected")
        }
        let key = try string()
        skipBlanks()
        guard take(UInt8(ascii: ":")) else { throw error("\(here) where ':' was expected") }
        skipBlanks()
        return key
    }

    /// Advances past a member's value.
    ///
    /// - Returns: whether another member follows; otherwise the object has ended.
    package mutating func hasNextMember() throws(JSONSyntaxError) -> Bool {
        skipBlanks()
        if take(UInt8(ascii: ",")) { return true }
        guard take(UInt8(ascii: "}")) else { throw error("\(here) where ',' or '}' was expected") }
        depth -= 1
        return false
    }

    /// Enters the next array; its elements follow.
    ///
    /// - Returns: whether the array has any elements.
    package mutating func enterArray() throws(JSONSyntaxError) -> Bool {
        try enter()
        skipBlanks()
        guard take(UInt8(ascii: "]")) else { return true }
        depth -= 1
        empties += 1
        return false
    }

    /// Advances past an element.
    ///
    /// - Returns: whether another element follows; otherwise the array has ended.
    package mutating func hasNextElement() throws(JSONSyntaxError) -> Bool {
        skipBlanks()
        if take(UInt8(ascii: ",")) {
            skipBlanks()
            return true
        }
        guard take(UInt8(ascii: "]")) else { throw error("\(here) where ',' or ']' was expected") }
        depth -= 1
        return false
    }

    /// Reads a string without escapes as the place of its text; nil for any other value, which is read next.
    mutating func plainString() -> Range<Int>? {
        let start = at
        guard take(UInt8(ascii: "\"")) else { return nil }
        let (end, isASCII) = plainOctets()
        let range = start + 1..<end
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\""),
            isASCII || (try? UTF8Span(validating: bytes.span.extracting(range))) != nil
        else {
            at = start
            return nil
        }
        at = end + 1
        return range
    }

    package mutating func value() throws(JSONSyntaxError) -> JSONValue {
        guard at < bytes.count else { throw error("the text ends where a value was expected") }
        switch bytes[at] {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"):
            empties += 1
            return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("\(shown(bytes[at])) where a value was expected")
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONObject {
        guard try enterObject() else { return JSONObject() }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(4)
        repeat {
            let key = try key()
            members.append(JSONObject.Member(key: key, value: try value()))
        } while try hasNextMember()
        return JSONObject(written: members)
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
        guard try enterArray() else { return [] }
        var array: [JSONValue] = []
        repeat { array.append(try value()) } while try hasNextElement()
        return array
    }

    private mutating func enter() throws(JSONSyntaxError) {
        at += 1
        depth += 1
        guard depth <= 128 else { throw error("more than 128 levels of nesting") }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        at += 1
        let start = at
        let isASCII: Bool
        (at, isASCII) = plainOctets()
        guard at < bytes.count else { throw error("the text ends inside a string") }
        guard bytes[at] == UInt8(ascii: "\"") else { return try string(from: start) }
        at += 1
        return try text(in: start..<at - 1, isASCII: isASCII)
    }

    /// Returns the position of the next quotation mark, backslash or control character, and whether all before it is ASCII.
    private func plainOctets() -> (end: Int, isASCII: Bool) {
        let octets = bytes.span
        var place = at
        var seen = UInt64(0)
        // Eight octets at a time. Of the octets that end the text, the lowest is found exactly.
        while place + 8 <= octets.count {
            // Safe: any eight octets are a valid number, and the offset is checked.
            let eight = unsafe UInt64(
                littleEndian: octets.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
            )
            let ends = Self.zeros(eight ^ Self.each(0x22)) | Self.zeros(eight ^ Self.each(0x5C)) | Self.controls(eight)
            guard ends == 0 else {
                let bits = UInt64(ends.trailingZeroBitCount & ~7)
                return (place + Int(bits / 8), (seen | eight & (1 << bits - 1)) & Self.each(0x80) == 0)
            }
            seen |= eight
            place += 8
        }
        while place < octets.count {
            let octet = octets[place]
            if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") || octet < 0x20 { break }
            seen |= UInt64(octet)
            place += 1
        }
        return (place, seen & Self.each(0x80) == 0)
    }

    /// Returns a word of eight equal octets.
    private static func each(_ octet: UInt64) -> UInt64 { octet &* 0x0101_0101_0101_0101 }

    /// Returns the highest bit of each octet that is zero, exactly for the lowest of them.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- each(1)) & ~word & each(0x80) }

    /// Returns the highest bit of each octet that is less than 0x20, exactly for the lowest of them.
    private static func controls(_ word: UInt64) -> UInt64 { (word &- each(0x20)) & ~word & each(0x80) }

    private func text(in range: Range<Int>, isASCII: Bool) throws(JSONSyntaxError) -> String {
        let octets = bytes.span.extracting(range)
        // Safe: ASCII is valid UTF-8.
        if isASCII { return String(copying: unsafe UTF8Span(unchecked: octets, isKnownASCII: true)) }
        do { return String(copying: try UTF8Span(validating: octets)) } catch {
            throw self.error("a string that is not UTF-8")
        }
    }

    /// Reads the rest of a string with escapes; the string begins at `start`.
    private mutating func string(from start: Int) throws(JSONSyntaxError) -> String {
        var content = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw error("a string that is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                try escape(into: &content)
            case 0..<0x20:
                throw error("a control character inside a string")
            default:
                content.append(byte)
                at += 1
            }
        }
        throw error("the text ends inside a string")
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONSyntaxError) {
        at += 1
        guard at < bytes.count else { throw error("the text ends inside a string") }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: String(try scalar()).utf8)
        default: throw error("'\\\(shown(byte))' is not a JSON escape")
        }
    }

    private mutating func scalar() throws(JSONSyntaxError) -> Character {
        let first = try hexadecimal()
        var code = UInt32(first)
        if (0xD800..<0xDC00).contains(first), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u")
        {
            at += 2
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second) else { throw error("half of a surrogate pair") }
            code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair") }
        return Character(scalar)
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
        guard at + 4 <= bytes.count,
            let text = String(validating: bytes[at..<at + 4], as: UTF8.self),
            text.allSatisfy(\.isHexDigit),
            let code = UInt16(text, radix: 16)
        else { throw error("'\\u' needs four hexadecimal digits") }
        at += 4
        return code
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = at
        var isInteger = true
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            guard digits() == 0 else { throw error("a number with a leading zero") }
        } else if digits() == 0 {
            throw error("\(here) where a digit was expected")
        }
        if take(UInt8(ascii: ".")) {
            isInteger = false
            guard digits() > 0 else { throw error("\(here) where a digit was expected") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard digits() > 0 else { throw error("\(here) where a digit was expected") }
        }
        let isNegativeZero = isInteger && at - start == 2 && bytes[start...].starts(with: "-0".utf8)
        if isInteger, !isNegativeZero, at - start <= Self.shortNumber { return .integer(integer(in: start..<at)) }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isInteger, !isNegativeZero, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw error("a number out of range") }
        return String(double) == text ? .double(double) : .decimal(text)
    }

    /// The number of octets up to which any integer is in range.
    private static let shortNumber = 18

    private func integer(in range: Range<Int>) -> Int64 {
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        var number: Int64 = 0
        for place in range.dropFirst(isNegative ? 1 : 0) {
            number = number * 10 + Int64(bytes[place] &- UInt8(ascii: "0"))
        }
        return isNegative ? -number : number
    }

    private mutating func digits() -> Int {
        let start = at
        while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) { at += 1 }
        return at - start
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let isThere = word.withUTF8Buffer { octets in unsafe bytes[at...].starts(with: octets) }
        guard isThere else { throw error("\(here) where a value was expected") }
        at += word.utf8CodeUnitCount
        return value
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipBlanks() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            default: return
            }
        }
    }

    private var here: String { at < bytes.count ? shown(bytes[at]) : "the end of the text" }

    private func shown(_ byte: UInt8) -> String {
        (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    }

    private func error(_ problem: String) -> JSONSyntaxError {
        let before = bytes[..<min(at, bytes.count)]
        let lines = before.split(separator: 0x0A, omittingEmptySubsequences: false)
        return JSONSyntaxError(line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: problem)
    }
}
