import NIOCore
import Testing

@testable import APNSTransport

/// The examples of RFC 7541, appendix C.
@Suite("HPACK: the RFC's own examples")
struct HPACKExampleTests {
    private func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).compactMap { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
        }
    }

    @Test("C.1: integers", arguments: [(10, 5, "0a"), (1337, 5, "1f9a0a"), (42, 8, "2a")])
    func integers(_ value: Int, _ prefix: Int, _ digits: String) throws {
        var output = ByteBuffer()
        HPACKInteger.write(value, prefix: prefix, pattern: 0, to: &output)
        #expect(Array(output.readableBytesView) == bytes(digits))
        var offset = 0
        let input = bytes(digits)
        #expect(try HPACKInteger.read(input.span, &offset, prefix: prefix) == value)
        #expect(offset == input.count)
    }

    @Test("C.4: requests with Huffman coding, three on one connection")
    func requests() throws {
        let blocks = [
            "828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
            "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
        ]
        let common = [":method": "GET", ":authority": "www.example.com"]
        let expected = [
            common.merging([":scheme": "http", ":path": "/"]) { $1 },
            common.merging([":scheme": "http", ":path": "/", "cache-control": "no-cache"]) { $1 },
            common.merging([":scheme": "https", ":path": "/index.html", "custom-key": "custom-value"]) { $1 },
        ]
        var decoder = HPACKDecoder(catalog: APNSField.catalog)
        for (block, fields) in zip(blocks, expected) {
            var found = FieldBlock()
            try decoder.decode(bytes(block).span, into: &found, listLimit: 8000)
            let texts = found.texts(APNSField.catalog)
            #expect(Dictionary(uniqueKeysWithValues: texts.map { ($0.name, $0.value) }) == fields)
        }
        #expect(decoder.table.count == 3)
        #expect(decoder.table.size == 164)
    }
}
