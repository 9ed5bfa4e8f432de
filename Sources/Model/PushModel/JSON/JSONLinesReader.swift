/// Splits JSON Lines, one JSON document per line, incrementally, and tracks the position of each line in the file.
///
/// A byte order mark and empty lines are skipped; CR and CR LF also end a line.
public struct JSONLinesReader: Sendable {
    /// One line of the file.
    public struct Line: Hashable, Sendable {
        /// The line without its ending.
        public var bytes: ArraySlice<UInt8>
        /// The line number, counted from 1.
        public var line: Int
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

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
            let found = buffer[max(place, searched)...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
            let end = found ?? buffer.count
            // A line feed may follow the carriage return.
            guard isEnd || end + (found.map { buffer[$0] } == Self.carriageReturn ? 1 : 0) < buffer.count else {
                searched = end
                return nil
            }
            var bytes = buffer[place..<end]
            let number = line
            if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
            let isPair = buffer[end...].starts(with: [Self.carriageReturn, Self.lineFeed])
            let next = min(end + (isPair ? 2 : 1), buffer.count)
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
