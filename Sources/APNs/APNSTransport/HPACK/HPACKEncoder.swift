/// How a field is written (RFC 7541, section 6.2).
package enum FieldIndexing: Hashable, Sendable {
    /// Remembered whole: for what is the same in many messages.
    case whole
    /// The name is remembered, the value written out: for what differs in each.
    case name
    /// Written out, and to be written out by everybody who passes it on (section 7.1.3).
    case never
}

/// Writes header blocks (RFC 7541, sections 5 and 6).
struct HPACKEncoder {
    private let catalog: FieldCatalog
    private var table: DynamicTable
    /// What the other side allows, at most what we use.
    private var allowed = HPACKDecoder.tableSize
    /// The smallest and the last size to announce at the start of the next block (section 4.2).
    private var smallest: Int?
    /// The number under which a name was last inserted, by the name's own number.
    private var namePlaces = [Int](repeating: 0, count: 128)

    /// Changes whenever an index may have come to mean something else. A block written before is then void.
    private(set) var generation = 0

    init(catalog: FieldCatalog) {
        self.catalog = catalog
        table = DynamicTable(maximumSize: HPACKDecoder.tableSize)
    }

    /// Takes in the other side's SETTINGS_HEADER_TABLE_SIZE.
    mutating func allow(tableSize: Int) {
        let size = min(tableSize, HPACKDecoder.tableSize)
        guard size != allowed else { return }
        allowed = size
        smallest = min(smallest ?? size, size)
        table.resize(to: size)
        generation += 1
    }

    /// Whether a size update has to come first in the next block.
    var owesSizeUpdate: Bool { smallest != nil }

    /// To be called at the start of each block.
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
        default: encode(.status, Array(String(status).utf8).span, .whole, to: &output)
        }
    }

    /// Writes a field whose name has a number.
    mutating func encode(
        _ name: FieldName,
        _ value: Span<UInt8>,
        _ indexing: FieldIndexing,
        to output: inout WireBytes
    ) {
        if indexing == .whole, let index = wholeIndex(name, value) {
            HPACKInteger.write(index, prefix: 7, pattern: 0x80, to: &output)
            return
        }
        let nameIndex = nameIndex(name)
        // A name that stands in no table goes there with its first value.
        let isInserted = indexing == .whole || indexing == .name && nameIndex == nil
        let (prefix, pattern): (Int, UInt8) = isInserted ? (6, 0x40) : indexing == .never ? (4, 0x10) : (4, 0x00)
        HPACKInteger.write(nameIndex ?? 0, prefix: prefix, pattern: pattern, to: &output)
        if nameIndex == nil { writeString(catalog.bytes(of: name).span, isShort: true, to: &output) }
        writeString(value, isShort: indexing == .whole, to: &output)
        if isInserted {
            let before = table.inserted
            table.insert(name, catalog.bytes(of: name).span, value, isValueValid: true)
            if table.inserted > before { namePlaces[Int(name.rawValue)] = table.inserted }
            generation += 1
        }
    }

    /// Writes a field whose name is in no catalog; nothing of it is remembered.
    mutating func encode(name: Span<UInt8>, _ value: Span<UInt8>, to output: inout WireBytes) {
        output.write(0 as UInt8)
        writeString(name, isShort: true, to: &output)
        writeString(value, isShort: false, to: &output)
    }

    /// - `isShort`: whether it pays to look for the shorter form; what differs in every message is written as it is.
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
