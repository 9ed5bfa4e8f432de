import Foundation
import PushModel
import PushService

// The encoding of a batch's pushes in its row: numbers with seven bits per octet, the lowest first, and texts in the format of
// TextPacker.

/// The identifiers of each push in a batch.
struct BatchNames {
    struct Name {
        var id: MessageID
        var sendno: UInt32
        var cid: String
    }

    let names: [Name]

    static func packed(_ entries: [MessageBatch.Entry]) -> [UInt8] {
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
    init(packed data: Data) throws {
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
struct BatchTexts {
    let texts: [ArraySlice<UInt8>]

    static func packed(_ entries: [MessageBatch.Entry]) -> [UInt8] {
        var packer = TextPacker(capacity: entries.count * 64)
        for entry in entries { packer.append(entry.text) }
        return packer.octets
    }

    /// - Throws: ``CorruptRow``.
    init(packed data: Data) throws {
        var reader = TextUnpacker(octets: Array(data), column: "texts")
        var texts: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd { texts.append(try reader.text()[...]) }
        self.texts = texts
    }
}
