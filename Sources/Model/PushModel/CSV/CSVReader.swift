/// Reads comma-separated values as they come in, and knows where each row stands in the file.
///
/// Source: RFC 4180, section 2; beyond it a byte order mark, `\n` alone, and empty lines, which are passed over. A row that is
/// wrong is told of, and reading goes on with the next line: of a quote that is never closed only its first line is lost.
public struct CSVReader: Sendable {
    /// Bytes of a row. What is longer has lost a quote.
    public static let rowBytes = 1024 * 1024

    /// One row of the file.
    public struct Row: Hashable, Sendable {
        public var fields: [String]
        /// Nil if the row is right.
        public var problem: String?
        /// Of its first line, counted from 1.
        public var line: Int
        /// As it was written, without the end of the line.
        public var bytes: ArraySlice<UInt8>
    }

    private var buffer: [UInt8] = []
    /// Where the next row begins in `buffer`.
    private var place = 0
    /// Bytes of the file before the next row.
    public private(set) var offset: Int
    /// The line on which the next row begins.
    public private(set) var line: Int

    /// `offset` and `line`: where the first bytes that are added stand.
    public init(offset: Int = 0, line: Int = 1) {
        self.offset = offset
        self.line = line
    }

    /// Adds what comes next in the file.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(place)
        place = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next row; nil if more bytes are needed, or `isEnd` says that there are none.
    public mutating func next(isEnd: Bool) -> Row? {
        if offset == 0 {
            guard isEnd || buffer.count - place >= 3 else { return nil }
            if buffer[place...].starts(with: [0xEF, 0xBB, 0xBF]) { advance(to: place + 3) }
        }
        while place < buffer.count, lineEnd(from: place) == place { skipLineEnd(at: place) }
        guard place < buffer.count else { return nil }
        switch scan(isEnd: isEnd) {
        case .more: return nil
        case .row(let fields, let end): return take(fields, problem: nil, to: end)
        case .wrong(let problem, let end): return take([], problem: problem, to: end)
        }
    }

    private enum Scan {
        case more
        case row([String], end: Int)
        case wrong(String, end: Int)
    }

    /// Reads the fields of one row.
    private func scan(isEnd: Bool) -> Scan {
        var fields: [String] = []
        var start = place
        while true {
            let field: (bytes: [UInt8], end: Int)
            if start < buffer.count, buffer[start] == Self.quote {
                switch quoted(from: start + 1, isEnd: isEnd) {
                case .closed(let bytes, let end): field = (bytes, end)
                case .open: return isEnd || isTooLong ? wrong("A quote is opened and never closed", isEnd) : .more
                case .followed: return wrong("Something follows a closing quote", isEnd)
                }
            } else {
                let end = fieldEnd(from: start)
                field = (Array(buffer[start..<end]), end)
                if field.bytes.contains(Self.quote) { return wrong("A quote stands inside a field", isEnd) }
            }
            if field.end == buffer.count, !isEnd { return isTooLong ? wrong("The row is too long", isEnd) : .more }
            guard let text = String(validating: field.bytes, as: UTF8.self) else {
                return wrong("The row is not UTF-8", isEnd)
            }
            fields.append(text)
            guard field.end < buffer.count, buffer[field.end] == Self.comma else {
                return .row(fields, end: field.end)
            }
            start = field.end + 1
        }
    }

    private enum Quoted {
        case closed([UInt8], end: Int)
        case open
        case followed
    }

    /// Reads what stands in quotes.
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
            // Whether the quote is doubled is not known yet.
            guard next < buffer.count else { return isEnd ? .closed(bytes, end: next) : .open }
            if buffer[next] == Self.quote {
                bytes.append(Self.quote)
                index += 2
            } else if buffer[next] == Self.comma || buffer[next] == Self.lineFeed {
                return .closed(bytes, end: next)
            } else if buffer[next] == Self.carriageReturn {
                guard next + 1 < buffer.count else { return isEnd ? .closed(bytes, end: next) : .open }
                return buffer[next + 1] == Self.lineFeed ? .closed(bytes, end: next) : .followed
            } else {
                return .followed
            }
        }
        return .open
    }

    private var isTooLong: Bool { buffer.count - place > Self.rowBytes }

    /// Gives the row's first line up.
    private func wrong(_ what: String, _ isEnd: Bool) -> Scan {
        let end = lineEnd(from: place)
        guard end < buffer.count || isEnd || isTooLong else { return .more }
        return .wrong("\(what); expected fields as in RFC 4180, with quotes around the whole field or none.", end: end)
    }

    private mutating func take(_ fields: [String], problem: String?, to end: Int) -> Row {
        let row = Row(fields: fields, problem: problem, line: line, bytes: buffer[place..<end])
        line += row.bytes.count { $0 == Self.lineFeed }
        advance(to: end)
        if place < buffer.count { skipLineEnd(at: place) }
        return row
    }

    /// The end of a field without quotes, or of what there is.
    private func fieldEnd(from start: Int) -> Int {
        let lineEnd = lineEnd(from: start)
        return buffer[start..<lineEnd].firstIndex(of: Self.comma) ?? lineEnd
    }

    /// Where the line ends, before `\r\n` or `\n`.
    private func lineEnd(from start: Int) -> Int {
        guard let end = buffer[start...].firstIndex(of: Self.lineFeed) else { return buffer.count }
        return end > start && buffer[end - 1] == Self.carriageReturn ? end - 1 : end
    }

    private mutating func skipLineEnd(at end: Int) {
        // The line feed is missing behind a carriage return that ends the file.
        advance(to: min(end + (buffer[end] == Self.carriageReturn ? 2 : 1), buffer.count))
        line += 1
    }

    private mutating func advance(to index: Int) {
        offset += index - place
        place = index
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// A field as it may stand in a row: in quotes where it needs them.
    public static func field(_ text: String) -> String {
        let special: Set<UInt8> = [quote, comma, lineFeed, carriageReturn]
        guard text.utf8.contains(where: special.contains) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
