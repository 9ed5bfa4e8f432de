import PushModel

/// Reads records one after another from the octets of a frame.
struct MailRecordReader {
    /// The octets are not records: the frame was written by another version of Posthorn.
    struct Problem: Error {}

    private let bytes: [UInt8]
    private var offset = 0
    /// The last head that was read; most pushes share the head of the previous push.
    private var head: PushHead?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func integer<Value: FixedWidthInteger>() throws(Problem) -> Value {
        let size = MemoryLayout<Value>.size
        guard bytes.count - offset >= size else { throw Problem() }
        defer { offset += size }
        return bytes[offset..<offset + size].reduce(0) { $0 << 8 | Value($1) }
    }

    mutating func next<Field: MailField>() throws(Problem) -> Field { try Field(from: &self) }

    mutating func octets() throws(Problem) -> [UInt8] {
        let count = Int(try integer() as UInt32)
        guard bytes.count - offset >= count else { throw Problem() }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Returns an existing equal head, if it was the last one read.
    mutating func shared(_ head: PushHead) -> PushHead {
        if let last = self.head, last == head { return last }
        self.head = head
        return head
    }
}
