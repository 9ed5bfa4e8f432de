/// Reads comma-separated values incrementally, and tracks the position of each row in the file.
///
/// Source: RFC 4180, section 2; in addition, a byte order mark, lines that end with LF or CR alone, and empty lines, which are
/// skipped. An invalid row is reported, and reading continues with the next line: an unclosed quote costs only its first line.
public struct CSVReader: Sendable {
    /// The maximum size of a row in bytes; a longer row has an unclosed quote.
    public static let rowBytes = 1024 * 1024

    /// One row of the file.
    public struct Row: Hashable, Sendable {
        /// The unquoted fields; empty for an invalid row.
        public var fields: [String]
        /// The error; nil for a valid row.
        public var problem: String?
        /// The number of its first line, counted from 1.
        public var line: Int
        /// The row as written, without the line ending.
        public var bytes: ArraySlice<UInt8>
    }

    /// The bytes from which rows are read.
    package private(set) var buffer: [UInt8] = []
    /// The start of the next row in `buffer`.
    private var place = 0
    /// Whether the next bytes, up to the end of the line, are of a row that was too long.
    private var isInLongRow = false
    /// The number of bytes before the next row in the file.
    public private(set) var offset: Int
    /// The line on which the next row begins.
    public private(set) var line: Int
    /// The octet between two fields: a comma, a semicolon, a tab or a bar.
    package var separator = Self.comma

    /// `offset` and `line` are the position of the first bytes that are added.
    public init(offset: Int = 0, line: Int = 1) {
        self.offset = offset
        self.line = line
    }

    /// Appends the next bytes of the file.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(place)
        place = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next row; nil if more bytes are needed, or at the end of the file (`isEnd`).
    public mutating func next(isEnd: Bool) -> Row? {
        if offset == 0 {
            guard isEnd || buffer.count - place >= 3 else { return nil }
            if buffer[place...].starts(with: [0xEF, 0xBB, 0xBF]) { advance(to: place + 3) }
        }
        if isInLongRow {
            let end = lineEnd(from: place)
            isInLongRow = end == buffer.count
            advance(to: end)
        }
        while place < buffer.count, isLineEnd(place) {
            guard isEnd || isComplete(lineEnd: place) else { return nil }
            skipLineEnd(at: place)
        }
        guard place < buffer.count else { return nil }
        switch scan(isEnd: isEnd) {
        case .more: return nil
        case .row(let fields, let end):
            let (line, bytes) = take(to: end)
            return Row(fields: fields, line: line, bytes: bytes)
        case .wrong(let problem, let end):
            let (line, bytes) = take(to: end)
            return Row(fields: [], problem: problem, line: line, bytes: bytes)
        }
    }

    /// Finds the fields of the next row in ``buffer``, if it is complete and of the usual form: no quotation mark is in a field.
    ///
    /// - Parameter fields: gets their places.
    /// - Returns: the end of the row, for ``take(to:)``; nil for any other row, which ``next(isEnd:)`` reads.
    package func find(_ fields: inout [Range<Int>]) -> Int? {
        guard offset > 0, separator < 0x80, !isInLongRow else { return nil }
        fields.removeAll(keepingCapacity: true)
        let octets = buffer.span
        var start = place
        var seen: UInt8 = 0
        while start < octets.count {
            let isQuoted = octets[start] == Self.quote
            let first = isQuoted ? start + 1 : start
            var end = first
            while end < octets.count {
                let octet = octets[end]
                if octet == Self.quote { break }
                if !isQuoted, octet == separator || octet == Self.lineFeed || octet == Self.carriageReturn { break }
                seen |= octet
                end += 1
            }
            fields.append(first..<end)
            if isQuoted { end += 1 }
            guard end < octets.count else { return nil }
            if octets[end] == separator {
                start = end + 1
                continue
            }
            guard end > place, isLineEnd(end), isComplete(lineEnd: end) else { return nil }
            let isText = seen < 0x80 || (try? UTF8Span(validating: octets.extracting(place..<end))) != nil
            return isText ? end : nil
        }
        return nil
    }

    private enum Scan {
        case more
        case row([String], end: Int)
        case wrong(String, end: Int)
    }

    /// Reads the fields of one row.
    private mutating func scan(isEnd: Bool) -> Scan {
        var fields: [String] = []
        var start = place
        while true {
            let field: (bytes: [UInt8], end: Int)
            if start < buffer.count, buffer[start] == Self.quote {
                switch quoted(from: start + 1, isEnd: isEnd) {
                case .closed(let bytes, let end): field = (bytes, end)
                case .open:
                    return isEnd || isTooLong
                        ? wrong("A quote is opened and never closed; \(Self.quoting)", isEnd) : .more
                case .followed: return wrong("Something follows a closing quote; \(Self.quoting)", isEnd)
                }
            } else {
                let end = fieldEnd(from: start)
                field = (Array(buffer[start..<end]), end)
                if field.bytes.contains(Self.quote) {
                    return wrong("A quote stands inside a field; \(Self.quoting)", isEnd)
                }
            }
            if !isEnd, !isComplete(lineEnd: field.end) {
                return isTooLong
                    ? wrong("The row has more than \(Self.rowBytes) bytes; expected at most that many", isEnd) : .more
            }
            guard let text = String(validating: field.bytes, as: UTF8.self) else {
                return wrong("The row is not UTF-8; save the file as UTF-8, as 'iconv -t UTF-8' does", isEnd)
            }
            fields.append(text)
            guard field.end < buffer.count, buffer[field.end] == separator else { return .row(fields, end: field.end) }
            start = field.end + 1
        }
    }

    private enum Quoted {
        case closed([UInt8], end: Int)
        case open
        case followed
    }

    /// Reads the content of a quoted field.
    private func quoted(from start: Int, isEnd: Bool) -> Quoted {
        var bytes: [UInt8] = []
        var index = start
        while index < buffer.count {
            guard buffer[index] == Self.quote else {
                bytes.append(buffer[index])
                index += 1
                continue
            }
            let next = index + 1
            // It is not known yet whether the quote is doubled.
            guard next < buffer.count else { return isEnd ? .closed(bytes, end: next) : .open }
            guard buffer[next] == Self.quote else {
                return buffer[next] == separator || isLineEnd(next) ? .closed(bytes, end: next) : .followed
            }
            bytes.append(Self.quote)
            index += 2
        }
        return .open
    }

    private var isTooLong: Bool { buffer.count - place > Self.rowBytes }

    private static let quoting = "expected fields as in RFC 4180, with quotes around the whole field or none"

    /// Skips the row's first line.
    private mutating func wrong(_ what: String, _ isEnd: Bool) -> Scan {
        let end = lineEnd(from: place)
        guard isComplete(lineEnd: end) || isEnd || isTooLong else { return .more }
        isInLongRow = end == buffer.count
        return .wrong(what + ".", end: end)
    }

    /// Advances past a row that ends there.
    ///
    /// - Returns: the number of its first line, and its bytes without the line ending.
    package mutating func take(to end: Int) -> (line: Int, bytes: ArraySlice<UInt8>) {
        let first = line
        let bytes = buffer[place..<end]
        line += bytes.indices.count { buffer[$0] == Self.lineFeed || isLoneCarriageReturn($0) }
        advance(to: end)
        if place < buffer.count { skipLineEnd(at: place) }
        return (first, bytes)
    }

    /// Returns the end of an unquoted field, or of the buffer.
    private func fieldEnd(from start: Int) -> Int {
        buffer[start...].firstIndex { [separator] in $0 == separator || $0 == Self.lineFeed || $0 == Self.carriageReturn
        }
            ?? buffer.count
    }

    /// Returns the end of the line, before the octets that end it.
    private func lineEnd(from start: Int) -> Int {
        buffer[start...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn } ?? buffer.count
    }

    private func isLineEnd(_ index: Int) -> Bool {
        buffer[index] == Self.lineFeed || buffer[index] == Self.carriageReturn
    }

    private func isLoneCarriageReturn(_ index: Int) -> Bool {
        buffer[index] == Self.carriageReturn && (index + 1 == buffer.count || buffer[index + 1] != Self.lineFeed)
    }

    /// Whether all octets that end the line are there: the line feed after a carriage return may not have come yet.
    private func isComplete(lineEnd end: Int) -> Bool {
        end < buffer.count && (buffer[end] != Self.carriageReturn || end + 1 < buffer.count)
    }

    private mutating func skipLineEnd(at end: Int) {
        let isPair = buffer[end] == Self.carriageReturn && end + 1 < buffer.count && buffer[end + 1] == Self.lineFeed
        advance(to: end + (isPair ? 2 : 1))
        line += 1
    }

    private mutating func advance(to index: Int) {
        offset += index - place
        place = index
    }

    private static let quote = UInt8(ascii: "\"")
    package static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Returns the field as written in a row, quoted if necessary.
    public static func field(_ text: String) -> String { field(text, separator: comma) }

    /// Returns the field as written in a row with this separator, quoted if necessary.
    package static func field(_ text: String, separator: UInt8) -> String {
        let special: Set<UInt8> = [quote, separator, lineFeed, carriageReturn]
        guard text.utf8.contains(where: special.contains) else { return text }
        // Scalars, because a quote and a combining mark after it are one Character, which does not equal a quote.
        return "\"\(String(text.unicodeScalars.replacing("\"".unicodeScalars, with: "\"\"".unicodeScalars)))\""
    }
}
