/// The header fields of one message: names by number, values concatenated in one array.
///
/// Reused: a message costs no allocation once the first ones have passed.
package struct FieldBlock: Sendable {
    package struct Field: Hashable, Sendable {
        package var name: FieldName
        /// The range of the name in ``FieldBlock/bytes``; empty for a name with a number.
        package var nameRange: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameCount) }
        /// The range of the value.
        package var valueRange: Range<Int> { Int(valueStart)..<Int(valueStart) + Int(valueCount) }

        var nameStart: UInt32
        var nameCount: UInt32
        var valueStart: UInt32
        var valueCount: UInt32
    }

    /// The reason why a receiver has to refuse the message (RFC 9113, section 8.1.1).
    enum Flaw: Hashable, Sendable {
        case name
        case value
        case connectionSpecific
        case unknownPseudo
        case pseudoAfterField
        case repeatedPseudo
    }

    package private(set) var bytes: [UInt8] = []
    package private(set) var fields: [Field] = []
    /// The number of octets in use in ``bytes``, which is longer.
    private(set) var used = 0
    /// The size of the list by RFC 9113, section 10.5.1.
    private(set) var listSize = 0
    private(set) var flaw: Flaw?
    /// Repeated names, as bits at their numbers.
    private var repeated: UInt128 = 0
    /// The first index of each name in ``fields``, counted from 1; 0 for a name that did not occur.
    private var firsts = InlineArray<32, UInt16>(repeating: 0)
    private(set) var hasPseudo = false

    package init() {}

    /// The memory that the fields take. A long Huffman code can stand for few octets, but needs room for many.
    var heldBytes: Int { listSize == 0 ? 0 : max(listSize, bytes.count) }

    /// The limit of memory that is kept for reuse: it may be on each of a thousand streams.
    static let keptBytes = 4096

    /// Empties the block and keeps its memory, unless it is unusually large.
    mutating func clear() {
        if bytes.count > Self.keptBytes { bytes = [] }
        for index in fields.indices { firsts[Int(fields[index].name.rawValue)] = 0 }
        if fields.capacity > 128 { fields = [] }
        fields.removeAll(keepingCapacity: true)
        used = 0
        listSize = 0
        flaw = nil
        repeated = 0
        hasPseudo = false
    }

    /// Becomes a copy of another block, in the same memory if it is large enough.
    ///
    /// `other` stays as it is. It is passed in place, because a large value of a class would be copied to be read.
    mutating func replaceAll(with other: inout FieldBlock) {
        bytes.replaceAll(with: other.bytes.span.extracting(0..<other.used))
        if fields.count == other.fields.count {
            // One provider's messages have the same number of fields, which then cost no reference to the array.
            for index in fields.indices { fields[index] = other.fields[index] }
        } else {
            fields.removeAll(keepingCapacity: true)
            fields.append(contentsOf: other.fields)
        }
        used = other.used
        listSize = other.listSize
        flaw = other.flaw
        repeated = other.repeated
        firsts = other.firsts
        hasPseudo = other.hasPseudo
    }

    /// Whether the name occurs more than once.
    @inline(__always)
    package func isRepeated(_ name: FieldName) -> Bool { repeated >> UInt128(name.rawValue) & 1 == 1 }

    /// Whether one of the names occurs more than once.
    @inline(__always)
    func isRepeated(_ names: FieldNameSet) -> Bool { repeated & names.bits != 0 }

    @inline(__always)
    package func contains(_ name: FieldName) -> Bool { firsts[Int(name.rawValue)] != 0 }

    /// The range of the first value of that name in ``bytes``.
    @inline(__always)
    package func range(of name: FieldName) -> Range<Int>? {
        let first = Int(firsts[Int(name.rawValue)])
        return first == 0 ? nil : fields[first - 1].valueRange
    }

    /// All fields as text, in the order of the wire.
    package var texts: [(name: String, value: String)] {
        fields.map { field in
            let name = field.name == .other ? Array(bytes[field.nameRange]) : FieldCatalog.shared.bytes(of: field.name)
            return (String(decoding: name, as: UTF8.self), String(decoding: bytes[field.valueRange], as: UTF8.self))
        }
    }

    // MARK: - Filling

    /// Makes room for a string of up to `count` octets and returns its start.
    mutating func room(for count: Int) -> Int {
        let needed = used + count
        if bytes.count < needed {
            // An array, because a debug build appends any other collection element by element.
            bytes += [UInt8](repeating: 0, count: max(needed, bytes.count * 2, 512) - bytes.count)
        }
        return used
    }

    /// Appends a copy of a string.
    @discardableResult
    mutating func append(_ string: Span<UInt8>) -> Int {
        let start = room(for: string.count)
        copy(string, to: start)
        used += string.count
        return start
    }

    private mutating func copy(_ string: Span<UInt8>, to start: Int) {
        unsafe string.withUnsafeBufferPointer { source in
            unsafe bytes.withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                precondition(start + source.count <= target.count)
                // Both ends were checked just now.
                unsafe (to + start).update(from: from, count: source.count)
            }
        }
    }

    /// Decodes a Huffman string and appends it.
    mutating func appendDecoded(_ string: Span<UInt8>) throws(HTTP2ConnectionError) -> (start: Int, count: Int) {
        let start = room(for: Huffman.decodedLimit(string.count))
        let count = try Huffman.decode(string, into: &bytes, at: start)
        used += count
        return (start, count)
    }

    /// Adds a field whose strings are already in ``bytes``.
    ///
    /// `nameSize` is the octets of the name, also of a name with a number.
    @inline(__always)
    mutating func add(
        _ name: FieldName,
        nameSize: Int,
        nameStart: Int,
        valueStart: Int,
        valueCount: Int,
        isValueValid: Bool
    ) {
        listSize += nameSize + valueCount + 32
        judge(name, isValueValid)
        if contains(name) {
            repeated |= 1 << UInt128(name.rawValue)
        } else {
            // A list within ``HTTP2Limits/headerListBytes`` has fewer fields than this can count.
            firsts[Int(name.rawValue)] = UInt16(clamping: fields.count + 1)
        }
        fields.append(
            Field(
                name: name,
                nameStart: UInt32(truncatingIfNeeded: nameStart),
                nameCount: name == .other ? UInt32(truncatingIfNeeded: nameSize) : 0,
                valueStart: UInt32(truncatingIfNeeded: valueStart),
                valueCount: UInt32(truncatingIfNeeded: valueCount)
            )
        )
    }

    /// Discards the strings from `start` on; no field may refer to them.
    mutating func drop(from start: Int) { used = start }

    /// Counts a field that is not stored, because the list is too large already.
    mutating func skip(size: Int) { listSize += size + 32 }

    @inline(__always)
    private mutating func judge(_ name: FieldName, _ isValueValid: Bool) {
        if !isValueValid { flaw = flaw ?? .value }
        if name.isPseudo {
            if fields.count > 0, !fields[fields.count - 1].name.isPseudo { flaw = flaw ?? .pseudoAfterField }
            if contains(name) { flaw = flaw ?? .repeatedPseudo }
            hasPseudo = true
        } else if name.isKind {
            switch name {
            case .connectionSpecific: flaw = flaw ?? .connectionSpecific
            case .unknownPseudo: flaw = flaw ?? .unknownPseudo
            case .malformed: flaw = flaw ?? .name
            default: break
            }
        }
    }
}
