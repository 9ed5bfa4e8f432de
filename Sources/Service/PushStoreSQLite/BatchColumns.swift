import Foundation
import PushModel
import PushService

// How the pushes of a batch stand in its row: numbers of seven bits an octet, the lowest first, and texts behind their lengths.

/// By what each push of a batch is known.
struct BatchNames {
    struct Name {
        var id: MessageID
        var sendno: Int32
        var cid: String
    }

    let names: [Name]

    static func packed(_ entries: [MessageBatch.Entry]) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(entries.count * 48)
        var last: Int64 = 0
        for entry in entries {
            octets.append(packing: UInt64(entry.id.number - last))
            octets.append(packing: UInt64(UInt32(bitPattern: entry.sendno)))
            octets.append(packing: UInt64(entry.cid.utf8.count))
            octets.append(contentsOf: entry.cid.utf8)
            last = entry.id.number
        }
        return octets
    }

    /// - Throws: ``CorruptRow``.
    init(packed data: Data) throws {
        var reader = PackedReader(octets: Array(data), column: "names")
        var names: [Name] = []
        var last: Int64 = 0
        while !reader.isAtEnd {
            last += Int64(try reader.number())
            let sendno = Int32(bitPattern: UInt32(truncatingIfNeeded: try reader.number()))
            names.append(
                Name(id: MessageID(last), sendno: sendno, cid: String(decoding: try reader.text(), as: UTF8.self))
            )
        }
        self.names = names
    }
}

/// What each push of a batch says.
struct BatchTexts {
    let texts: [ArraySlice<UInt8>]

    static func packed(_ entries: [MessageBatch.Entry]) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(entries.reduce(0) { $0 + $1.text.count + 4 })
        for entry in entries {
            octets.append(packing: UInt64(entry.text.count))
            octets.append(contentsOf: entry.text)
        }
        return octets
    }

    /// - Throws: ``CorruptRow``.
    init(packed data: Data) throws {
        var reader = PackedReader(octets: Array(data), column: "texts")
        var texts: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd { texts.append(try reader.text()) }
        self.texts = texts
    }
}

private struct PackedReader {
    let octets: [UInt8]
    let column: String
    private var at = 0

    init(octets: [UInt8], column: String) {
        self.octets = octets
        self.column = column
    }

    var isAtEnd: Bool { at == octets.count }

    mutating func number() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard at < octets.count else { break }
            let octet = octets[at]
            at += 1
            number |= UInt64(octet & 0x7F) << UInt64(shift)
            if octet < 0x80 { return number }
        }
        throw CorruptRow(table: "batch", column: column, found: "a number without an end")
    }

    mutating func text() throws -> ArraySlice<UInt8> {
        let count = try number()
        guard count <= UInt64(octets.count - at) else {
            throw CorruptRow(table: "batch", column: column, found: "a text of \(count) octets")
        }
        defer { at += Int(count) }
        return octets[at..<at + Int(count)]
    }
}

extension [UInt8] {
    fileprivate mutating func append(packing number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
