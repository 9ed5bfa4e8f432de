@testable import APNSTransport

/// Octets from hexadecimal digits, with blanks where it pleases.
func hex(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8.filter { $0 != UInt8(ascii: " ") })
    return stride(from: 0, to: digits.count, by: 2).compactMap { place in
        UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
    }
}

/// A decoder and its table, one block after another.
final class BlockReader {
    private var decoder = HPACKDecoder()

    var table: DynamicTable { decoder.table }

    /// Reads a block into what a message keeps of it.
    func block(_ block: [UInt8], listLimit: Int = 1 << 20) throws(HTTP2ConnectionError) -> FieldBlock {
        var found = FieldBlock()
        try decoder.decode(block.span, into: &found, listLimit: listLimit)
        return found
    }

    /// The fields of a block, as text.
    func fields(_ block: [UInt8]) throws(HTTP2ConnectionError) -> [String] {
        try self.block(block).texts.map { "\($0.name): \($0.value)" }
    }

    /// The error of a block; nil if there is none.
    func failure(_ block: [UInt8]) -> HTTP2ErrorCode? {
        do {
            _ = try fields(block)
            return nil
        } catch {
            return error.code
        }
    }
}

extension Huffman {
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var output = WireBytes()
        encode(bytes.span, to: &output)
        return output.array
    }

    static func decoded(_ bytes: [UInt8]) throws(HTTP2ConnectionError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: decodedLimit(bytes.count))
        let count = try decode(bytes.span, into: &output, at: 0)
        return Array(output[..<count])
    }
}
