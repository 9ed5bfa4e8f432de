/// Cuts JSON lines, a JSON document a line, as they come in, and knows where each stands in the file.
///
/// A byte order mark is passed over, and so are empty lines; `\r\n` ends a line as well.
public struct JSONLinesReader: Sendable {
    public struct Line: Hashable, Sendable {
        /// Without the end of the line.
        public var bytes: ArraySlice<UInt8>
        /// Counted from 1.
        public var line: Int
    }

    private var buffer: [UInt8] = []
    private var place = 0
    /// How far `buffer` is known to hold no end of the line at `place`.
    private var searched = 0
    /// Bytes of the file before the next line.
    public private(set) var offset: Int
    /// The number of the next line.
    public private(set) var line: Int

    /// `offset` and `line`: where the first bytes that are added stand.
    public init(offset: Int = 0, line: Int = 1) {
        self.offset = offset
        self.line = line
    }

    /// Adds what comes next in the file.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(place)
        searched = max(0, searched - place)
        place = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next line; nil if more bytes are needed, or `isEnd` says that there are none.
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
