/// Splits JSON Lines, one JSON document per line, incrementally, and tracks the position of each line in the file.
///
/// A byte order mark and empty lines are skipped; CR LF also ends a line.
public struct JSONLinesReader: Sendable {
    /// One line of the file.
    public struct Line: Hashable, Sendable {
        /// The line without its ending.
        public var bytes: ArraySlice<UInt8>
        /// The line number, counted from 1.
        public var line: Int
    }

    private var buffer: [UInt8] = []
    private var place = 0
    /// The position up to which `buffer` has no line ending after `place`.
    private var searched = 0
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
        while place < buffer.count {
            let lineFeed = buffer[max(place, searched)...].firstIndex(of: UInt8(ascii: "\n"))
            guard lineFeed != nil || isEnd else {
                searched = buffer.count
                return nil
            }
            let end = lineFeed ?? buffer.count
            var bytes = buffer[place..<end]
            let number = line
            if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
            if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
            let next = min(end + 1, buffer.count)
            offset += next - place
            line += 1
            place = next
            if !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
                return Line(bytes: bytes, line: number)
            }
        }
        return nil
    }
}
