/// Cuts what a program prints into lines.
package struct LineSplitter: Sendable {
    /// A longer line is cut.
    static let limit = 1 << 16

    private var rest: [UInt8] = []

    package init() {}

    /// - Returns: the lines that are complete now, without their ends.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
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

    /// What came after the last end of a line; nil if that is nothing.
    package mutating func last() -> String? {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}
