/// The indexing of a field (RFC 7541, section 6.2).
package enum FieldIndexing: Hashable, Sendable {
    /// The whole field is indexed: for fields that are the same in many messages.
    case whole
    /// The name is indexed, the value is a literal: for values that differ in each message.
    case name
}

/// Writes header blocks (RFC 7541, sections 5 and 6).
struct HPACKEncoder {
    private let catalog = FieldCatalog.shared
    private var table = DynamicTable(maximumSize: HPACKDecoder.tableSize)
    /// The table size that the other side allows, limited to the one we use.
    private var allowed = HPACKDecoder.tableSize
    /// The smallest and the last size to announce at the start of the next block (section 4.2).
    private var smallest: Int?
    /// The insertion number of each name, by the name's own number.
    private var namePlaces = [Int](repeating: 0, count: 128)

    /// Changes whenever an index may have a new meaning. Blocks that were encoded before are then invalid.
    private(set) var generation = 0

    init() {}

    /// Applies the other side's SETTINGS_HEADER_TABLE_SIZE.
    mutating func allow(tableSize: Int) {
        let size = min(tableSize, HPACKDecoder.tableSize)
        guard size != allowed else { return }
        allowed = size
        smallest = min(smallest ?? size, size)
        table.resize(to: size)
        generation += 1
    }

    /// Whether the next block must start with a size update.
    var owesSizeUpdate: Bool { smallest != nil }

    /// Must be called at the start of each block.
    @inline(__always)
    mutating func beginBlock(_ output: inout WireBytes) {
        guard let smallest else { return }
        if smallest < allowed { HPACKInteger.write(smallest, prefix: 5, pattern: 0x20, to: &output) }
        HPACKInteger.write(allowed, prefix: 5, pattern: 0x20, to: &output)
        self.smallest = nil
    }

    /// Writes `:status`.
    mutating func encodeStatus(_ status: Int, to output: inout WireBytes) {
        switch status {
        case 200: output.write(0x80 | 8 as UInt8)
        case 400: output.write(0x80 | 12 as UInt8)
        case 404: output.write(0x80 | 13 as UInt8)
        case 500: output.write(0x80 | 14 as UInt8)
        default: encode(.status, Array(String(status).utf8).span, indexing: .whole, to: &output)
        }
    }

    /// Writes a field whose name has a number.
    mutating func encode(_ name: FieldName, _ value: Span<UInt8>, indexing: FieldIndexing, to output: inout WireBytes) {
        if indexing == .whole, let index = wholeIndex(name, value) {
            HPACKInteger.write(index, prefix: 7, pattern: 0x80, to: &output)
            return
        }
        let nameIndex = nameIndex(name)
        // A name that is in no table is inserted with its first value.
        let isInserted = indexing == .whole || indexing == .name && nameIndex == nil
        HPACKInteger.write(nameIndex ?? 0, prefix: isInserted ? 6 : 4, pattern: isInserted ? 0x40 : 0, to: &output)
        if nameIndex == nil { writeString(catalog.bytes(of: name).span, isShort: true, to: &output) }
        writeString(value, isShort: indexing == .whole, to: &output)
        if isInserted {
            let before = table.inserted
            table.insert(name, nameBytes: catalog.bytes(of: name).span, value: value, isValueValid: true)
            if table.inserted > before { namePlaces[Int(name.rawValue)] = table.inserted }
            generation += 1
        }
    }

    /// Writes a field whose name is in no catalog; it is not indexed.
    mutating func encode(name: Span<UInt8>, _ value: Span<UInt8>, to output: inout WireBytes) {
        output.write(0 as UInt8)
        writeString(name, isShort: true, to: &output)
        writeString(value, isShort: false, to: &output)
    }

    /// `isShort` says whether the shorter form is worth computing; values that differ in every message are written
    /// plainly.
    @inline(__always)
    private func writeString(_ string: Span<UInt8>, isShort: Bool, to output: inout WireBytes) {
        if isShort {
            let count = Huffman.encodedCount(string)
            if count < string.count {
                HPACKInteger.write(count, prefix: 7, pattern: 0x80, to: &output)
                Huffman.encode(string, to: &output)
                return
            }
        }
        HPACKInteger.write(string.count, prefix: 7, pattern: 0, to: &output)
        output.write(string)
    }

    private func wholeIndex(_ name: FieldName, _ value: Span<UInt8>) -> Int? {
        let bytes = table.bytes.span
        for index in 0..<table.count {
            let entry = table.entry(index)
            if entry.name == name, bytes.extracting(entry.valueRange).isEqual(to: value) {
                return catalog.statics.count + index
            }
        }
        for index in 1..<catalog.statics.count where catalog.statics[index].name == name {
            let all = catalog.staticBytes
            let known = all.span
            if known.extracting(catalog.statics[index].valueRange).isEqual(to: value) { return index }
        }
        return nil
    }

    @inline(__always)
    private func nameIndex(_ name: FieldName) -> Int? {
        if let index = table.index(ofNumber: namePlaces[Int(name.rawValue)]) { return catalog.statics.count + index }
        return catalog.staticIndex(of: name)
    }
}

/// Integers with a prefix of a few bits (RFC 7541, section 5.1).
enum HPACKInteger {
    /// The largest accepted value, far above any legitimate one: four octets of continuation.
    static let maximum = 1 << 28

    /// Reads an integer whose first octet, at `offset`, has `prefix` bits of it.
    ///
    /// - Throws: a compression error if the block ends inside it or it is out of range.
    @inline(__always)
    static func read(_ bytes: Span<UInt8>, _ offset: inout Int, prefix: Int) throws(HTTP2ConnectionError) -> Int {
        let mask = (1 << prefix) - 1
        let first = Int(bytes[offset]) & mask
        offset += 1
        guard first == mask else { return first }
        return try readRest(bytes, &offset, after: first)
    }

    private static func readRest(
        _ bytes: Span<UInt8>,
        _ offset: inout Int,
        after first: Int
    ) throws(HTTP2ConnectionError) -> Int {
        var value = first
        var shift = 0
        while offset < bytes.count {
            let octet = Int(bytes[offset])
            offset += 1
            value += (octet & 0x7F) << shift
            guard value <= maximum else { break }
            if octet & 0x80 == 0 { return value }
            shift += 7
            guard shift <= 28 else { break }
        }
        throw HTTP2ConnectionError(.compressionError, "An integer is too large or cut off (RFC 7541, 5.1)")
    }

    /// Appends an integer after the bits that `pattern` sets in the first octet.
    static func write(_ value: Int, prefix: Int, pattern: UInt8, to output: inout WireBytes) {
        let mask = (1 << prefix) - 1
        guard value >= mask else {
            output.write(pattern | UInt8(value))
            return
        }
        output.write(pattern | UInt8(mask))
        var rest = value - mask
        while rest >= 0x80 {
            output.write(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        output.write(UInt8(rest))
    }
}
