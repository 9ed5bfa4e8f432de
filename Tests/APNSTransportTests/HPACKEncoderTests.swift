import TestSupport
import Testing

@testable import APNSTransport

@Suite("HPACK: the encoder, read by the decoder", .suiteLimit)
struct HPACKEncoderTests {
    private let catalog = FieldCatalog.shared

    @Test("A size below and above again is announced in both steps (RFC 7541, 4.2)")
    func announcesTheSmallest() throws {
        var encoder = HPACKEncoder()
        encoder.allow(tableSize: 4096)
        #expect(!encoder.owesSizeUpdate)
        encoder.allow(tableSize: 10)
        encoder.allow(tableSize: 1000)
        #expect(encoder.owesSizeUpdate)
        var output = WireBytes()
        encoder.beginBlock(&output)
        let expected =
            WireFields.integer(10, prefix: 5, pattern: 0x20) + WireFields.integer(1000, prefix: 5, pattern: 0x20)
        #expect(output.array == expected)
        #expect(!encoder.owesSizeUpdate)
        // More than is used is not made use of.
        encoder.allow(tableSize: 1 << 30)
        output.removeAll()
        encoder.beginBlock(&output)
        #expect(output.array == WireFields.integer(4096, prefix: 5, pattern: 0x20))
    }

    @Test("A status is what it was", arguments: 100...599)
    func status(_ status: Int) throws {
        var encoder = HPACKEncoder()
        let decoder = BlockReader()
        for _ in 0..<2 {
            var output = WireBytes()
            encoder.encodeStatus(status, to: &output)
            #expect(try decoder.fields(output.array) == [":status: \(status)"])
        }
    }

    @Test("Any fields come out as they went in, whatever the table's size becomes", arguments: 1...8)
    func anyFields(_ seed: Int) throws {
        var chance = SeededChance(UInt64(seed))
        var encoder = HPACKEncoder()
        let decoder = BlockReader()
        let names = [
            "authorization", "apns-id", "apns-topic", "apns-push-type", "content-type", "content-length", ":path",
            ":authority", "retry-after", "x-of-its-own", "te",
        ]
        let values = (0..<12).map { number -> [UInt8] in
            // Few values, so that they meet again; some beyond the table, some that Huffman coding makes longer.
            chance.bytes(
                number == 11 ? 4100 : Int.random(in: 0...200, using: &chance),
                in: number % 2 == 0 ? 97...122 : 1...255
            )
        }
        for _ in 0..<120 {
            if Int.random(in: 0..<15, using: &chance) == 0 {
                encoder.allow(tableSize: [0, 1, 33, 100, 500, 4096, 65_536].randomElement(using: &chance) ?? 0)
            }
            var output = WireBytes()
            encoder.beginBlock(&output)
            var expected: [String] = []
            for _ in 0..<Int.random(in: 0...8, using: &chance) {
                let text = names.randomElement(using: &chance) ?? ""
                let value = values.randomElement(using: &chance) ?? []
                let indexing = [FieldIndexing.whole, .name].randomElement(using: &chance) ?? .whole
                let name = catalog.name(text)
                if name == .other {
                    encoder.encode(name: Array(text.utf8).span, value.span, to: &output)
                } else {
                    encoder.encode(name, value.span, indexing: indexing, to: &output)
                }
                expected.append("\(text): \(String(decoding: value, as: UTF8.self))")
            }
            #expect(try decoder.fields(output.array) == expected)
        }
    }

    @Test("The second time a field is an octet or two")
    func remembers() {
        var encoder = HPACKEncoder()
        var sizes: [Int] = []
        for _ in 0..<3 {
            var output = WireBytes()
            encoder.encode(FieldName.topic, Array("com.example.app".utf8).span, indexing: .whole, to: &output)
            sizes.append(output.count)
        }
        #expect(sizes[0] > 15)
        #expect(sizes[1...] == [1, 1])
    }
}
