package import PushModel

// The encoding of a batch's pushes in its row: numbers with seven bits per octet, the lowest first, and texts in the format of
// TextPacker.

/// The identifiers of each push in a batch.
package struct BatchNames {
    package struct Name: Sendable {
        package var id: MessageID
        package var sendno: UInt32
        package var cid: String
    }

    package let names: [Name]

    package static func packed(_ entries: [MessageBatch.Entry]) -> [UInt8] {
        var packer = TextPacker(capacity: entries.count * 32)
        var last: Int64 = 0
        for entry in entries {
            packer.octets.append(packing: UInt64(entry.id.number - last))
            packer.octets.append(packing: UInt64(entry.sendno))
            packer.append(ArraySlice(entry.cid.utf8))
            last = entry.id.number
        }
        return packer.octets
    }

    /// - Throws: ``CorruptRow``.
    package init(packed data: some Sequence<UInt8>) throws {
        var reader = TextUnpacker(octets: Array(data), column: "names")
        var names: [Name] = []
        var last: Int64 = 0
        while !reader.isAtEnd {
            last += Int64(truncatingIfNeeded: try reader.number())
            let sendno = UInt32(truncatingIfNeeded: try reader.number())
            let cid = String(decoding: try reader.text(), as: UTF8.self)
            names.append(Name(id: MessageID(last), sendno: sendno, cid: cid))
        }
        self.names = names
    }
}

/// The content of each push in a batch.
package struct BatchTexts {
    package let texts: [ArraySlice<UInt8>]

    package static func packed(_ entries: [MessageBatch.Entry]) -> [UInt8] {
        var packer = TextPacker(capacity: entries.count * 64)
        for entry in entries { packer.append(entry.text) }
        return packer.octets
    }

    /// - Throws: ``CorruptRow``.
    package init(packed data: some Sequence<UInt8>) throws {
        var reader = TextUnpacker(octets: Array(data), column: "texts")
        var texts: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd { texts.append(try reader.text()[...]) }
        self.texts = texts
    }
}
