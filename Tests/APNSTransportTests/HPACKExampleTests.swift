import TestSupport
import Testing

@testable import APNSTransport

/// The examples of RFC 7541, appendix C.
@Suite("HPACK: the RFC's own examples", .suiteLimit)
struct HPACKExampleTests {
    @Test("C.1: integers", arguments: [(10, 5, "0a"), (1337, 5, "1f9a0a"), (42, 8, "2a")])
    func integers(_ value: Int, _ prefix: Int, _ digits: String) throws {
        var output = WireBytes()
        HPACKInteger.write(value, prefix: prefix, pattern: 0, to: &output)
        #expect(output.array == hex(digits))
        var offset = 0
        let input = hex(digits)
        let read = try HPACKInteger.read(input.span, &offset, prefix: prefix)
        #expect(read == value)
        #expect(offset == input.count)
    }

    @Test(
        "C.2: single fields, and what they leave in the table",
        arguments: [
            ("400a637573746f6d2d6b65790d637573746f6d2d686561646572", "custom-key: custom-header", 55),
            ("040c2f73616d706c652f70617468", ":path: /sample/path", 0),
            ("100870617373776f726406736563726574", "password: secret", 0),
            ("82", ":method: GET", 0),
        ]
    )
    func single(_ block: String, _ field: String, _ size: Int) throws {
        let decoder = BlockReader()
        #expect(try decoder.fields(hex(block)) == [field])
        #expect(decoder.table.size == size)
    }

    /// One message after another on one connection.
    struct Exchange: CustomTestStringConvertible {
        var testDescription: String
        /// SETTINGS_HEADER_TABLE_SIZE in the example; announced by a size update of ours.
        var tableSize: Int?
        var blocks: [String]
        var messages: [[String]]
        /// The size of the table after each block.
        var sizes: [Int]
    }

    private static let requests = [
        [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"],
        [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com", "cache-control: no-cache"],
        [
            ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
            "custom-key: custom-value",
        ],
    ]
    private static let date = "date: Mon, 21 Oct 2013 20:13:21 GMT"
    private static let answers = [
        [":status: 302", "cache-control: private", date, "location: https://www.example.com"],
        [":status: 307", "cache-control: private", date, "location: https://www.example.com"],
        [
            ":status: 200", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:22 GMT",
            "location: https://www.example.com", "content-encoding: gzip",
            "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
        ],
    ]

    static let exchanges = [
        Exchange(
            testDescription: "C.3: requests without Huffman coding",
            blocks: [
                "828684410f7777772e6578616d706c652e636f6d", "828684be58086e6f2d6361636865",
                "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
            ],
            messages: requests,
            sizes: [57, 110, 164]
        ),
        Exchange(
            testDescription: "C.4: requests with Huffman coding",
            blocks: [
                "828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
                "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
            ],
            messages: requests,
            sizes: [57, 110, 164]
        ),
        Exchange(
            testDescription: "C.5: answers without Huffman coding, with eviction",
            tableSize: 256,
            blocks: [
                "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470"
                    + "733a2f2f7777772e6578616d706c652e636f6d",
                "4803333037c1c0bf",
                "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b"
                    + "48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
            ],
            messages: answers,
            sizes: [222, 222, 215]
        ),
        Exchange(
            testDescription: "C.6: answers with Huffman coding, with eviction",
            tableSize: 256,
            blocks: [
                "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82"
                    + "ae43d3",
                "4883640effc1c0bf",
                "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5"
                    + "af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
            ],
            messages: answers,
            sizes: [222, 222, 215]
        ),
    ]

    @Test("C.3 to C.6: three messages on one connection", arguments: exchanges)
    func exchange(_ example: Exchange) throws {
        let decoder = BlockReader()
        if let size = example.tableSize {
            #expect(try decoder.fields(WireFields.integer(size, prefix: 5, pattern: 0x20)) == [])
        }
        for index in example.blocks.indices {
            #expect(try decoder.fields(hex(example.blocks[index])) == example.messages[index])
            #expect(decoder.table.size == example.sizes[index])
        }
        let entries = (0..<decoder.table.count).map { place in
            let value = decoder.table.bytes[decoder.table.entry(place).valueRange]
            return String(decoding: value, as: UTF8.self)
        }
        if example.tableSize == nil {
            #expect(entries == ["custom-value", "no-cache", "www.example.com"])
        } else {
            let cookie = "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"
            #expect(entries == [cookie, "gzip", "Mon, 21 Oct 2013 20:13:22 GMT"])
        }
    }

    @Test(
        "C.4 and C.6: what is coded by Huffman comes out octet for octet",
        arguments: [
            ("www.example.com", "f1e3c2e5f23a6ba0ab90f4ff"), ("no-cache", "a8eb10649cbf"),
            ("custom-key", "25a849e95ba97d7f"), ("custom-value", "25a849e95bb8e8b4bf"), ("302", "6402"),
            ("private", "aec3771a4b"),
            ("Mon, 21 Oct 2013 20:13:21 GMT", "d07abe941054d444a8200595040b8166e082a62d1bff"),
            ("https://www.example.com", "9d29ad171863c78f0b97c8e9ae82ae43d3"), ("307", "640eff"), ("gzip", "9bd9ab"),
            (
                "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
                "94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"
            ),
        ]
    )
    func huffman(_ text: String, _ digits: String) throws {
        #expect(Huffman.encoded(Array(text.utf8)) == hex(digits))
        #expect(try Huffman.decoded(hex(digits)) == Array(text.utf8))
    }
}
