import TestSupport
import Testing

@testable import APNSTransport

@Suite("HPACK: the decoder and its table", .suiteLimit)
struct HPACKDecoderTests {
    private func literal(_ name: String, _ value: String, pattern: UInt8 = 0x40) -> [UInt8] {
        [pattern] + WireFields.string(Array(name.utf8)) + WireFields.string(Array(value.utf8))
    }

    private func sizeUpdate(_ size: Int) -> [UInt8] { WireFields.integer(size, prefix: 5, pattern: 0x20) }

    @Test("Every place of the static table is what appendix A says", arguments: 1...61)
    func staticTable(_ index: Int) throws {
        let decoder = BlockReader()
        let field = StaticTable.fields[index - 1]
        // What is connection-specific is refused under any of its names, and has but one number.
        let name = field.name == "transfer-encoding" ? "connection" : field.name
        #expect(try decoder.fields([0x80 | UInt8(index)]) == ["\(name): \(field.value)"])
        // And its name for a value of one's own, remembered or not.
        for (prefix, pattern) in [(6, 0x40 as UInt8), (4, 0x00), (4, 0x10)] {
            let block = WireFields.integer(index, prefix: prefix, pattern: pattern) + WireFields.string([0x78])
            #expect(try decoder.fields(block) == ["\(name): x"])
        }
        #expect(decoder.table.count == 1)
    }

    @Test(
        "Refuses an index behind which nothing stands (RFC 7541, 2.3.3 and 6.1)",
        arguments: [
            ("index 0", "80"), ("the first of an empty table", "be"), ("far beyond", "ff8001"),
            ("as the name of a field that is remembered", "7e0161"), ("as the name of one that is not", "0f2f0161"),
            ("as the name of one that never is", "1f2f0161"),
        ]
    )
    func badIndex(_ name: String, _ block: String) {
        let decoder = BlockReader()
        #expect(decoder.failure(hex(block)) == .compressionError)
    }

    @Test("An index reaches the oldest entry and not one further")
    func lastIndex() throws {
        let decoder = BlockReader()
        for number in 0..<5 { _ = try decoder.fields(literal("a\(number)", "v\(number)")) }
        #expect(try decoder.fields([0x80 | 62]) == ["a4: v4"])
        #expect(try decoder.fields([0x80 | 66]) == ["a0: v0"])
        #expect(decoder.failure([0x80 | 67]) == .compressionError)
    }

    @Test(
        "Refuses a block that ends too early, or an integer without end (RFC 7541, 5.1 and 5.2)",
        arguments: [
            "40", "4001", "400161", "40016102", "4001610261", "41", "0f", "0fff", "7f", "7f80", "3f", "ff",
            "4185f1e3c2", "ff8080808080808080808001", "ffffffffffffffffffff01", "7fffffffff7f", "00ffffffff0f",
            "007fffffff7f", "3fffffffffffffff7f", "0fffffffffffffffffffffffffffffffffff",
        ]
    )
    func cutOff(_ block: String) {
        let decoder = BlockReader()
        #expect(decoder.failure(hex(block)) == .compressionError)
    }

    @Test("Reads integers up to 2^28 back as they were written, with any prefix", arguments: 1...8)
    func integers(_ prefix: Int) throws {
        var chance = SeededChance(UInt64(prefix))
        let mask = (1 << prefix) - 1
        let edges = [0, mask - 1, mask, mask + 1, mask + 127, mask + 128, 1 << 14, 1 << 21, 1 << 28]
        for value in edges + (0..<500).map({ _ in Int.random(in: 0...(1 << 28), using: &chance) }) where value >= 0 {
            var output = WireBytes()
            HPACKInteger.write(value, prefix: prefix, pattern: 0, to: &output)
            let bytes = output.array
            #expect(bytes == WireFields.integer(value, prefix: prefix, pattern: 0))
            var offset = 0
            let read = try HPACKInteger.read(bytes.span, &offset, prefix: prefix)
            #expect(read == value)
            #expect(offset == bytes.count)
        }
        var offset = 0
        let tooLarge = WireFields.integer(1 << 28 + 1, prefix: prefix, pattern: 0)
        #expect(throws: HTTP2ConnectionError.self) {
            try HPACKInteger.read(tooLarge.span, &offset, prefix: prefix)
        }
    }

    @Test("Size updates: any number of them before the first field, up to what was announced (RFC 7541, 4.2 and 6.3)")
    func sizeUpdates() throws {
        let decoder = BlockReader()
        _ = try decoder.fields(literal("custom-key", "custom-value"))
        #expect(try decoder.fields(sizeUpdate(0) + sizeUpdate(4096) + [0x82]) == [":method: GET"])
        #expect(decoder.table.count == 0)
        #expect(decoder.table.maximumSize == 4096)
        #expect(try decoder.fields(sizeUpdate(100)) == [])
        #expect(decoder.table.maximumSize == 100)
        #expect(decoder.failure(sizeUpdate(4097)) == .compressionError)
    }

    @Test(
        "Size updates: none behind a field of any kind",
        arguments: ["82", "400161017a", "000161017a", "100161017a"]
    )
    func lateSizeUpdate(_ field: String) {
        let decoder = BlockReader()
        #expect(decoder.failure(hex(field) + sizeUpdate(100)) == .compressionError)
    }

    @Test("A field larger than the table empties it and is read all the same (RFC 7541, 4.4)")
    func largerThanTheTable() throws {
        let decoder = BlockReader()
        _ = try decoder.fields(sizeUpdate(64) + literal("a", "b"))
        #expect(decoder.table.count == 1)
        let value = String(repeating: "v", count: 100)
        #expect(try decoder.fields(literal("name", value)) == ["name: \(value)"])
        #expect(decoder.table.count == 0)
        #expect(decoder.table.size == 0)
    }

    @Test("A new entry may take its name from the one that it evicts (RFC 7541, 4.4)")
    func nameOfTheEvicted() throws {
        let decoder = BlockReader()
        _ = try decoder.fields(sizeUpdate(45) + literal("custom-key", "old"))
        #expect(try decoder.fields([0x40 | 62] + WireFields.string(Array("new".utf8))) == ["custom-key: new"])
        #expect(try decoder.fields([0x80 | 62]) == ["custom-key: new"])
        #expect(decoder.table.count == 1)
    }

    @Test("The table agrees with a plain list through insertions, evictions and new sizes", arguments: 1...10)
    func againstAList(_ seed: Int) throws {
        var chance = SeededChance(UInt64(seed))
        let decoder = BlockReader()
        var list: [(name: String, value: String)] = []
        var maximum = 4096
        func evict(to limit: Int) {
            func size() -> Int { list.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }
            while !list.isEmpty, size() > limit { list.removeLast() }
        }
        for _ in 0..<1000 {
            switch Int.random(in: 0..<20, using: &chance) {
            case 0:
                maximum = [0, 40, 200, 1000, 4096].randomElement(using: &chance) ?? 0
                _ = try decoder.fields(sizeUpdate(maximum))
                evict(to: maximum)
            case 1...8:
                guard let (place, field) = list.enumerated().randomElement(using: &chance) else { continue }
                let block = WireFields.integer(62 + place, prefix: 7, pattern: 0x80)
                #expect(try decoder.fields(block) == ["\(field.name): \(field.value)"])
            default:
                let name = String(repeating: "n", count: Int.random(in: 1...30, using: &chance))
                let value = String(repeating: "v", count: Int.random(in: 0...90, using: &chance))
                #expect(try decoder.fields(literal(name, value)) == ["\(name): \(value)"])
                let size = name.utf8.count + value.utf8.count + 32
                evict(to: maximum - size)
                if size <= maximum { list.insert((name, value), at: 0) }
            }
            #expect(decoder.table.count == list.count)
            #expect(decoder.table.size <= maximum)
            #expect(decoder.table.bytes.count <= 2 * 4096 + 1024 + 120)
        }
    }

    @Test("Survives any octets", arguments: 1...20 as ClosedRange<UInt64>)
    func anyOctets(_ seed: UInt64) {
        var chance = SeededChance(seed)
        for _ in 0..<500 {
            let decoder = BlockReader()
            while decoder.failure(chance.bytes(Int.random(in: 1...40, using: &chance))) == nil {}
        }
    }

    @Test("A field in the table is judged once and refused each time")
    func rememberedFlaw() throws {
        let decoder = BlockReader()
        for block in [literal("a", "line\nline"), [0x80 | 62], [0x80 | 62]] as [[UInt8]] {
            let fields = try decoder.block(block, listLimit: 8000)
            #expect(fields.flaw == .value)
        }
        for block in [literal("Upper", "x"), [0x80 | 62]] as [[UInt8]] {
            let fields = try decoder.block(block, listLimit: 8000)
            #expect(fields.flaw == .name)
        }
    }

    @Test("A few octets do not become megabytes: a name from the table, written again and again")
    func nameBomb() throws {
        let decoder = BlockReader()
        let name = String(repeating: "n", count: 4000)
        var block = literal(name, "")
        for pattern in [0x0F as UInt8, 0x1F] {
            for _ in 0..<5000 { block += [pattern, 62 - 15, 0] }
        }
        let fields = try decoder.block(block, listLimit: 8000)
        #expect(fields.listSize == 10_001 * 4032)
        #expect(fields.bytes.count <= 32_768)
        #expect(fields.fields.count < 1000)
    }

    @Test("A few octets do not become megabytes: values from both tables")
    func valueBomb() throws {
        let decoder = BlockReader()
        let value = String(repeating: "v", count: 4000)
        for index in [62 as UInt8, 16] {
            let block = literal("a", value) + Array(repeating: 0x80 | index, count: 30_000)
            let fields = try decoder.block(block, listLimit: 8000)
            #expect(fields.listSize > 1_000_000)
            #expect(fields.bytes.count <= 32_768)
            #expect(fields.fields.count < 1000)
        }
    }
}
