/// Writes each text as its difference from the one before: the lengths of the common prefix and suffix, and the text between
/// them.
///
/// The pushes of a batch differ only in their targets and a few words, so most of the content is written once. That saves disk
/// writes twice: in the log and in the file.
struct TextPacker {
    var octets: [UInt8] = []
    private var last: ArraySlice<UInt8> = []

    init(capacity: Int) { octets.reserveCapacity(capacity) }

    mutating func append(_ text: ArraySlice<UInt8>) {
        let (start, end) = Self.shared(by: last.span, text.span)
        octets.append(packing: UInt64(start))
        octets.append(packing: UInt64(end))
        octets.append(packing: UInt64(text.count - start - end))
        octets.append(contentsOf: text.dropFirst(start).dropLast(end))
        last = text
    }

    private static func shared(by last: Span<UInt8>, _ text: Span<UInt8>) -> (start: Int, end: Int) {
        let most = min(last.count, text.count)
        var start = 0
        // Compares eight octets at a time while they are equal, then the rest one by one.
        while start + 8 <= most, last.eight(at: start) == text.eight(at: start) { start += 8 }
        while start < most, last[start] == text[start] { start += 1 }
        var end = 0
        while end + 8 <= most - start, last.eight(at: last.count - end - 8) == text.eight(at: text.count - end - 8) {
            end += 8
        }
        while end < most - start, last[last.count - 1 - end] == text[text.count - 1 - end] { end += 1 }
        return (start, end)
    }
}

extension Span<UInt8> {
    fileprivate func eight(at place: Int) -> UInt64 {
        // Safe: any eight octets are a valid number, and the offset is checked.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
    }
}

/// Reads the format of ``TextPacker``.
struct TextUnpacker {
    private let octets: [UInt8]
    private let column: String
    private var at = 0
    private var last: [UInt8] = []

    /// Reads a column of the table `batch`.
    init(octets: [UInt8], column: String) {
        self.octets = octets
        self.column = column
    }

    var isAtEnd: Bool { at == octets.count }

    /// - Throws: ``CorruptRow``.
    mutating func number() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard at < octets.count else { break }
            let octet = octets[at]
            at += 1
            number |= UInt64(octet & 0x7F) << shift
            if octet < 0x80 { return number }
        }
        throw CorruptRow(table: "batch", column: column, found: "a number without an end")
    }

    /// - Throws: ``CorruptRow``.
    mutating func text() throws -> [UInt8] {
        let start = try number()
        let end = try number()
        let count = try number()
        let known = UInt64(last.count)
        guard start <= known, end <= known - start, count <= UInt64(octets.count - at) else {
            throw CorruptRow(table: "batch", column: column, found: "a text of \(start), \(count) and \(end) octets")
        }
        let text = last.prefix(Int(start)) + octets[at..<at + Int(count)] + last.suffix(Int(end))
        at += Int(count)
        last = Array(text)
        return last
    }
}
