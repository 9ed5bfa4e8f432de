@testable import APNSTransport

/// Arbitrary header blocks on one connection: each is preceded by its length in two octets.
func fuzzHPACK(_ input: [UInt8]) {
    var reader = Reader(input)
    let listLimit = 8000
    var decoder = HPACKDecoder()
    var fields = FieldBlock()
    while !reader.rest.isEmpty {
        let size = Int(reader.byte()) << 8 | Int(reader.byte())
        let block = reader.bytes(size)
        fields.clear()
        do {
            try decoder.decode(block.span, into: &fields, listLimit: listLimit)
        } catch {
            check(error.code == .compressionError, "an error that is none of compression: \(error)")
            return
        }
        checkTable(decoder.table)
        checkFields(fields, listLimit: listLimit, longest: block.count)
    }
}

/// RFC 7541, section 4: what a table may hold, and that its sums are right.
func checkTable(_ table: DynamicTable) {
    check(table.maximumSize <= HPACKDecoder.tableSize, "a table of \(table.maximumSize)")
    check(table.size <= table.maximumSize, "\(table.size) octets in a table of \(table.maximumSize)")
    var sum = 0
    for index in 0..<table.count {
        let entry = table.entry(index)
        check(entry.valueRange.upperBound <= table.bytes.count, "an entry beyond its octets")
        sum += entry.size
    }
    check(sum == table.size, "the table counts \(table.size) octets and has \(sum)")
    check(table.bytes.count <= 4 * HPACKDecoder.tableSize, "\(table.bytes.count) octets are kept of a table")
}

/// What is kept of a block: no more than the limit of a list and what one literal of it can be.
func checkFields(_ fields: FieldBlock, listLimit: Int, longest: Int) {
    let most = listLimit + HPACKDecoder.tableSize + Huffman.decodedLimit(longest) + 512
    check(fields.bytes.count <= 2 * most, "\(fields.bytes.count) octets kept of a block of \(longest)")
    check(fields.fields.count <= listLimit / 32 + 1, "\(fields.fields.count) fields kept of a block of \(longest)")
    for field in fields.fields {
        check(field.valueRange.upperBound <= fields.bytes.count, "a value beyond its octets")
        check(field.nameRange.upperBound <= fields.bytes.count, "a name beyond its octets")
    }
    let texts = fields.texts
    check(texts.count == fields.fields.count, "fields without text")
}

/// Random fields come out of a decoder as they went into an encoder, whatever becomes of the tables.
func fuzzRoundTrip(_ input: [UInt8]) {
    var reader = Reader(input)
    let catalog = FieldCatalog.shared
    var encoder = HPACKEncoder()
    var decoder = HPACKDecoder()
    var fields = FieldBlock()
    while !reader.rest.isEmpty {
        let shape = reader.byte()
        var smallest = HPACKDecoder.tableSize
        for _ in 0..<(shape >> 6) {
            let size = Int(reader.byte()) * 33
            smallest = min(smallest, size)
            encoder.allow(tableSize: size)
        }
        var block = WireBytes()
        var written: [(name: [UInt8], value: [UInt8])] = []
        encoder.beginBlock(&block)
        for _ in 0..<(shape & 15) {
            let kind = reader.byte()
            let value = reader.bytes(Int(reader.byte()) * (kind & 0x80 == 0 ? 1 : 20))
            let indexing: FieldIndexing = kind >> 5 & 3 == 1 ? .name : .whole
            let number = kind & 31
            switch number {
            case 0:
                let name = reader.bytes(Int(reader.byte()))
                encoder.encode(name: name.span, value.span, to: &block)
                written.append((name, value))
            case 5:
                let status = 100 + Int(reader.byte()) * 3
                encoder.encodeStatus(status, to: &block)
                written.append((Array(":status".utf8), Array(String(status).utf8)))
            case 1...4, 6, 7, FieldName.authorization.rawValue...:
                guard let name = FieldName(rawValue: number) else { continue }
                encoder.encode(name, value.span, indexing: indexing, to: &block)
                written.append((catalog.bytes(of: name), value))
            default: continue
            }
        }
        fields.clear()
        let bytes = block.array
        if smallest < decoder.table.maximumSize {
            // RFC 7541, section 4.2: the smallest is announced, whatever came after it.
            var offset = 0
            let isUpdate = (bytes.first ?? 0) & 0xE0 == 0x20
            check(isUpdate, "a table of \(smallest) is not announced")
            let announced = try? HPACKInteger.read(bytes.span, &offset, prefix: 5)
            check(announced == smallest, "\(String(describing: announced)) is announced for \(smallest)")
        }
        do {
            try decoder.decode(bytes.span, into: &fields, listLimit: .max)
        } catch {
            check(false, "what the encoder wrote is \(error)")
        }
        checkTable(decoder.table)
        check(fields.fields.count == written.count, "\(written.count) fields became \(fields.fields.count)")
        for (field, pair) in zip(fields.fields, written) {
            let number = field.name.rawValue
            let isPlain = (1...7).contains(number) || number >= FieldName.authorization.rawValue
            let name = isPlain ? catalog.bytes(of: field.name) : Array(fields.bytes[field.nameRange])
            // What no name may be is only known as such.
            let isNamed = field.name == .other || isPlain
            check(!isNamed || name == pair.name, "the name \(pair.name) became \(name)")
            check(Array(fields.bytes[field.valueRange]) == pair.value, "the value of \(pair.name) changed")
        }
    }
}
