/// Reads header blocks (RFC 7541, sections 3, 5 and 6).
struct HPACKDecoder {
    /// The announced SETTINGS_HEADER_TABLE_SIZE; RFC 9113's default.
    static let tableSize = 4096

    private let catalog = FieldCatalog.shared
    private let statics = FieldCatalog.shared.statics
    private let staticBytes = FieldCatalog.shared.staticBytes
    private(set) var table = DynamicTable(maximumSize: Self.tableSize)
    private var lastLiteral = LastLiteral()

    init() {}

    /// Reads one complete block and adds its fields.
    ///
    /// `listLimit` counts octets by RFC 9113, section 10.5.1; a larger list is counted but not stored, so that a few
    /// octets cannot expand to megabytes.
    /// - Throws: a compression error. The tables are unusable after it, and so is the connection.
    mutating func decode(
        _ block: Span<UInt8>,
        into fields: inout FieldBlock,
        listLimit: Int
    ) throws(HTTP2ConnectionError) {
        var offset = 0
        var hasField = false
        while offset < block.count {
            let octet = block[offset]
            if octet & 0x80 != 0 {
                // Section 6.1.
                hasField = true
                let index = try HPACKInteger.read(block, &offset, prefix: 7)
                try addIndexed(index, to: &fields, listLimit)
            } else if octet & 0x40 != 0 {
                // Section 6.2.1.
                hasField = true
                try addLiteral(in: block, at: &offset, prefix: 6, isInserted: true, to: &fields, listLimit: listLimit)
            } else if octet & 0x20 != 0 {
                // Section 6.3; section 4.2: only at the beginning of a block.
                let size = try HPACKInteger.read(block, &offset, prefix: 5)
                guard !hasField, size <= Self.tableSize else {
                    throw HTTP2ConnectionError(
                        .compressionError,
                        hasField
                            ? "A table size update after the first field (RFC 7541, 4.2)"
                            : "A table size of \(size), but \(Self.tableSize) is the most (RFC 7541, 6.3)"
                    )
                }
                table.resize(to: size)
            } else {
                // Sections 6.2.2 and 6.2.3: "never indexed" is treated alike, since nothing is forwarded.
                hasField = true
                try addLiteral(in: block, at: &offset, prefix: 4, isInserted: false, to: &fields, listLimit: listLimit)
            }
        }
    }

    @inline(__always)
    private func addIndexed(_ index: Int, to fields: inout FieldBlock, _ listLimit: Int) throws(HTTP2ConnectionError) {
        if index >= statics.count {
            let place = index - statics.count
            guard place < table.count else { throw Self.noSuchIndex(index) }
            add(table.entry(place), of: table.bytes.span, to: &fields, listLimit)
        } else {
            guard index > 0 else { throw Self.noSuchIndex(index) }
            add(statics[index], of: staticBytes.span, to: &fields, listLimit)
        }
    }

    @inline(__always)
    private func add(
        _ entry: DynamicTable.Entry,
        of bytes: Span<UInt8>,
        to fields: inout FieldBlock,
        _ listLimit: Int
    ) {
        guard fields.listSize + entry.size <= listLimit else {
            fields.skip(size: entry.nameCount + entry.valueCount)
            return
        }
        let nameStart = entry.name == .other ? fields.append(bytes.extracting(entry.nameRange)) : 0
        let valueStart = fields.append(bytes.extracting(entry.valueRange))
        fields.add(
            entry.name,
            nameSize: entry.nameCount,
            nameStart: nameStart,
            valueStart: valueStart,
            valueCount: entry.valueCount,
            isValueValid: entry.isValueValid
        )
    }

    @inline(__always)
    private mutating func addLiteral(
        in block: Span<UInt8>,
        at offset: inout Int,
        prefix: Int,
        isInserted: Bool,
        to fields: inout FieldBlock,
        listLimit: Int
    ) throws(HTTP2ConnectionError) {
        let before = fields.used
        let name = try readName(block, &offset, prefix: prefix, isInserted: isInserted, into: &fields)
        let value = try readValue(block, &offset, of: name, isInserted: isInserted, into: &fields)
        guard fields.listSize + name.range.count + value.range.count + 32 <= listLimit else {
            fields.drop(from: before)
            fields.skip(size: name.range.count + value.range.count)
            return
        }
        fields.add(
            name.name,
            nameSize: name.range.count,
            nameStart: name.range.lowerBound,
            valueStart: value.range.lowerBound,
            valueCount: value.range.count,
            isValueValid: value.isValid
        )
    }

    /// Reads the name of a literal: its index, or itself. A name with a number is appended to the others in `fields` only if the field
    /// is inserted; otherwise the range says no more than its length.
    @inline(__always)
    private func readName(
        _ block: Span<UInt8>,
        _ offset: inout Int,
        prefix: Int,
        isInserted: Bool,
        into fields: inout FieldBlock
    ) throws(HTTP2ConnectionError) -> (name: FieldName, range: Range<Int>) {
        let index = try HPACKInteger.read(block, &offset, prefix: prefix)
        guard index > 0 else {
            let (start, count) = try readString(block, &offset, into: &fields)
            let bytes = fields.bytes.span
            return (catalog.look(bytes.extracting(start..<start + count)), start..<start + count)
        }
        if index < statics.count {
            let entry = statics[index]
            guard isInserted || entry.name == .other else { return (entry.name, 0..<entry.nameCount) }
            let bytes = staticBytes.span
            let start = fields.append(bytes.extracting(entry.nameRange))
            return (entry.name, start..<start + entry.nameCount)
        }
        let place = index - statics.count
        guard place < table.count else { throw Self.noSuchIndex(index) }
        let entry = table.entry(place)
        guard isInserted || entry.name == .other else { return (entry.name, 0..<entry.nameCount) }
        let bytes = table.bytes.span
        let start = fields.append(bytes.extracting(entry.nameRange))
        return (entry.name, start..<start + entry.nameCount)
    }

    /// Reads the value of a literal, and inserts the field if the encoder asks for it.
    @inline(__always)
    private mutating func readValue(
        _ block: Span<UInt8>,
        _ offset: inout Int,
        of name: (name: FieldName, range: Range<Int>),
        isInserted: Bool,
        into fields: inout FieldBlock
    ) throws(HTTP2ConnectionError) -> (range: Range<Int>, isValid: Bool) {
        if !isInserted, let count = lastLiteral.length(in: block, &offset) {
            let start = fields.append(lastLiteral.value.span)
            return (start..<start + count, lastLiteral.isValueValid)
        }
        let literal = offset
        let (start, count) = try readString(block, &offset, into: &fields)
        let bytes = fields.bytes.span
        let value = bytes.extracting(start..<start + count)
        // Validated once for all later references by index.
        let isValid = FieldRules.isValue(value)
        if isInserted {
            table.insert(name.name, nameBytes: bytes.extracting(name.range), value: value, isValueValid: isValid)
        } else if name.name != .path {
            lastLiteral.store(block.extracting(literal..<offset), value, isValueValid: isValid)
        }
        return (start..<start + count, isValid)
    }

    /// Reads a string literal (RFC 7541, section 5.2), and appends it to the others in `fields`.
    @inline(__always)
    private func readString(
        _ block: Span<UInt8>,
        _ offset: inout Int,
        into fields: inout FieldBlock
    ) throws(HTTP2ConnectionError) -> (start: Int, count: Int) {
        guard offset < block.count else { throw Self.cutOff }
        let isHuffman = block[offset] & 0x80 != 0
        let count = try HPACKInteger.read(block, &offset, prefix: 7)
        guard count <= block.count - offset else { throw Self.cutOff }
        let string = block.extracting(offset..<offset + count)
        offset += count
        if isHuffman { return try fields.appendDecoded(string) }
        return (fields.append(string), count)
    }

    private static let cutOff = HTTP2ConnectionError(
        .compressionError,
        "A header block ends inside a string (RFC 7541, 5.2)"
    )

    private static func noSuchIndex(_ index: Int) -> HTTP2ConnectionError {
        HTTP2ConnectionError(.compressionError, "There is no field with index \(index) (RFC 7541, 2.3.3)")
    }
}

/// The last long literal value, in encoded and decoded form.
///
/// An authorization must not be indexed (RFC 7541, section 7.1.3), yet comes again with each request: it is recognised by its
/// encoded octets and not decoded again.
private struct LastLiteral {
    /// The sizes of encoded strings, with their length prefix, that are worth the comparison.
    private static let sizes = 64...1024

    /// The string literal as received (RFC 7541, section 5.2).
    private var encoded: [UInt8] = []
    private(set) var value: [UInt8] = []
    private(set) var isValueValid = false

    /// - Returns: the octets of the value, if the literal is at `offset`, which is advanced; else nil.
    @inline(__always)
    func length(in block: Span<UInt8>, _ offset: inout Int) -> Int? {
        let count = encoded.count
        guard count > 0, count <= block.count - offset else { return nil }
        guard block.extracting(offset..<offset + count).isEqual(to: encoded.span) else { return nil }
        offset += count
        return value.count
    }

    mutating func store(_ literal: Span<UInt8>, _ value: Span<UInt8>, isValueValid: Bool) {
        guard Self.sizes.contains(literal.count) else { return }
        encoded.removeAll(keepingCapacity: true)
        encoded.append(literal)
        self.value.removeAll(keepingCapacity: true)
        self.value.append(value)
        self.isValueValid = isValueValid
    }
}
