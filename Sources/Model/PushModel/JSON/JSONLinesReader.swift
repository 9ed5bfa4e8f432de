/// Splits JSON Lines, one JSON document per line, incrementally, and tracks the position of each line in the file.
///
/// A byte order mark and empty lines are skipped; CR and CR LF also end a line. Of a line that is too long, only the beginning is kept.
public struct JSONLinesReader: Sendable {
    /// The maximum size of a line in bytes.
    public static let lineBytes = CSVReader.rowBytes
    /// The number of bytes that are kept of a longer line.
    private static let keptBytes = 1024

    /// One line of the file.
    public struct Line: Hashable, Sendable {
        /// The line without its ending; the beginning of a line that is too long.
        public var bytes: ArraySlice<UInt8>
        /// The line number, counted from 1.
        public var line: Int
        /// Whether the line has more than ``lineBytes``.
        public var isTooLong = false
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private var buffer: [UInt8] = []
    private var place = 0
    /// The position up to which `buffer` has no line ending after `place`.
    private var searched = 0
    /// The beginning of the current line, if the bytes before `place` were dropped; they are too many.
    private var beginning: ArraySlice<UInt8>?
    private var dropped = 0
    /// The number of bytes before the next line in the file.
    public private(set) var offset: Int
    /// The number of the next line.
    public private(set) var line: Int

    /// `offset` and `line` are the position of the first bytes that are added.
    public init(offset: Int = 0, line: Int = 1) {
        self.offset = offset
        self.line = line
    }

    /// Appends the next bytes of the file.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(place)
        searched = max(0, searched - place)
        place = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next line; nil if more bytes are needed, or at the end of the file (`isEnd`).
    public mutating func next(isEnd: Bool) -> Line? {
        while place < buffer.count || isEnd && dropped > 0 {
            let found = buffer[max(place, searched)...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
            let end = found ?? buffer.count
            // A line feed may follow the carriage return.
            guard isEnd || end + (found.map { buffer[$0] } == Self.carriageReturn ? 1 : 0) < buffer.count else {
                searched = end
                if dropped + end - place > Self.lineBytes { drop(to: end) }
                return nil
            }
            let line = take(to: end)
            if !line.bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return line }
        }
        return nil
    }

    /// Drops the bytes of a line that is too long.
    private mutating func drop(to end: Int) {
        if beginning == nil { beginning = ArraySlice(Array(buffer[place..<end].prefix(Self.keptBytes))) }
        dropped += end - place
        place = end
    }

    private mutating func take(to end: Int) -> Line {
        let isTooLong = dropped + end - place > Self.lineBytes
        var bytes = buffer[place..<end]
        if isTooLong { bytes = beginning ?? bytes.prefix(Self.keptBytes) }
        if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let isPair = buffer[end...].starts(with: [Self.carriageReturn, Self.lineFeed])
        let next = min(end + (isPair ? 2 : 1), buffer.count)
        let taken = Line(bytes: bytes, line: line, isTooLong: isTooLong)
        offset += dropped + next - place
        line += 1
        place = next
        dropped = 0
        beginning = nil
        return taken
    }
}
