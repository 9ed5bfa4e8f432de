import TestSupport
import Testing

@testable import APNSTransport

/// RFC 7541, section 5.2 and appendix B.
@Suite("HPACK: Huffman coding", .suiteLimit)
struct HuffmanTests {
    @Test("Each symbol comes back, alone and between others")
    func allSymbols() throws {
        for symbol in UInt8.min...UInt8.max {
            for text in [[symbol], [UInt8(ascii: "a"), symbol], [symbol, symbol, UInt8(ascii: "0")]] {
                let coded = Huffman.encoded(text)
                #expect(coded.count == Huffman.encodedCount(text.span))
                #expect(try Huffman.decoded(coded) == text)
            }
        }
        let all = Array(UInt8.min...UInt8.max)
        #expect(try Huffman.decoded(Huffman.encoded(all)) == all)
        #expect(try Huffman.decoded([]) == [])
    }

    @Test("Any text comes back", arguments: 1...20 as ClosedRange<UInt64>)
    func randomTexts(_ seed: UInt64) throws {
        var chance = SeededChance(seed)
        for _ in 0..<50 {
            let text = chance.bytes(Int.random(in: 0...300, using: &chance))
            #expect(try Huffman.decoded(Huffman.encoded(text)) == text)
        }
    }

    @Test(
        "Codes of appendix B",
        arguments: [
            (0 as UInt8, "ffc7"), (UInt8(ascii: "0"), "07"), (UInt8(ascii: "&"), "f8"), (UInt8(ascii: "X"), "fc"),
            (10, "fffffff3"), (13, "fffffff7"), (22, "fffffffb"), (255, "fffffbbf"), (92, "fffe1f"), (195, "fffe3f"),
            (128, "fffe6f"), (249, "ffffffef"),
        ]
    )
    func codes(_ symbol: UInt8, _ digits: String) {
        // Each code is padded with ones to a whole octet.
        #expect(Huffman.encoded([symbol]) == hex(digits))
    }

    @Test(
        "Refuses what no encoder may write",
        arguments: [
            ("EOS", "ffffffff"), ("EOS behind a letter", "1fffffffff"), ("EOS and more", "fffffffc00"),
            ("an octet of padding", "ff"), ("a letter and an octet of padding", "1fff"),
            ("two octets of padding", "ffff"), ("three octets of padding", "ffffff"), ("zeros as padding", "18"),
            ("mixed padding", "1d"), ("a code that is cut off", "fffe"), ("a long code that is cut off", "fffffe"),
        ]
    )
    func refuses(_ name: String, _ digits: String) {
        #expect(throws: HTTP2ConnectionError.self) { try Huffman.decoded(hex(digits)) }
    }

    @Test("Survives any octets", arguments: 1...20 as ClosedRange<UInt64>)
    func anyOctets(_ seed: UInt64) {
        var chance = SeededChance(seed)
        for _ in 0..<500 {
            let octets = chance.bytes(
                Int.random(in: 0...12, using: &chance),
                in: Bool.random(using: &chance) ? 0...255 : 240...255
            )
            guard let text = try? Huffman.decoded(octets) else { continue }
            #expect(Huffman.encoded(text) == octets)
        }
    }
}
