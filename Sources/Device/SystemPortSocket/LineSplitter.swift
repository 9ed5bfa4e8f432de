/// Splits a program's output into lines.
package struct LineSplitter: Sendable {
    /// The maximum length of a line; a longer one is split.
    static let limit = 1 << 16

    private var rest: [UInt8] = []

    package init() {}

    /// - Returns: the lines that are now complete, without line endings.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || rest.count == Self.limit {
                lines.append(String(decoding: rest, as: UTF8.self))
                rest = []
            }
            if byte != UInt8(ascii: "\n") { rest.append(byte) }
        }
        return lines
    }

    /// Returns the rest after the last line ending; nil if it is empty.
    package mutating func last() -> String? {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}
