import Testing

@testable import APNSTransport

/// The findings of the fuzz targets of Fuzzing/, each with its input.
@Suite("Fuzzing: what it found")
struct FuzzFindingTests {
    /// Each literal of two octets named a name of 4000 in the table, and each copy of it was kept: 32 KiB of header block
    /// became 64 MB, in a message that the connection then kept for use again.
    @Test("Fields beyond the limit of the list take no memory, whatever they are made of", arguments: [true, false])
    func literalsOfLongNames(_ isLong: Bool) throws {
        var block: [UInt8] = []
        if isLong {
            var long = WireBytes()
            long.write(0x40 as UInt8)
            HPACKInteger.write(4000, prefix: 7, pattern: 0, to: &long)
            long.write([UInt8](repeating: UInt8(ascii: "n"), count: 4000))
            long.write(0 as UInt8)
            block = long.array
            // A literal without indexing, its name by the newest index, its value empty.
            for _ in 0..<9000 { block += [0x0F, 0x2F, 0x00] }
        } else {
            // `accept-encoding: gzip, deflate` from the static table.
            block = Array(repeating: 0x90, count: 32_000)
        }
        var decoder = HPACKDecoder()
        var fields = FieldBlock()
        try decoder.decode(block.span, into: &fields, listLimit: 8000)
        #expect(fields.listSize > 8000)
        #expect(fields.bytes.count <= 32_768)
        #expect(fields.fields.count <= 250)
    }

    /// A header list that was too large was held and not counted until the request's end; so was the room for
    /// long Huffman codes. A thousand requests without an end held 40 MB where 16 are the limit.
    @Test("The memory of incomplete requests is counted in full", arguments: [true, false])
    func memoryOfUnfinishedRequests(_ isTooLarge: Bool) throws {
        let value = [UInt8](repeating: isTooLarge ? UInt8(ascii: "x") : 0xF9, count: isTooLarge ? 30_000 : 7000)
        var block = WireBytes([0x83, 0x87, 0x84, 0x00, 0x01, UInt8(ascii: "y")])
        let size = isTooLarge ? value.count : Huffman.encodedCount(value.span)
        HPACKInteger.write(size, prefix: 7, pattern: isTooLarge ? 0 : 0x80, to: &block)
        if isTooLarge { block.write(value) } else { Huffman.encode(value.span, to: &block) }
        var input = WireBytes(HTTP2Machine.preface)
        input.writeSettings([])
        let streams = 40
        for number in 0..<streams {
            let id = UInt32(2 * number + 1)
            var rest = block.array[...]
            var type = FrameType.headers
            while !rest.isEmpty {
                let part = Array(rest.prefix(16_384))
                rest = rest.dropFirst(part.count)
                let flags: FrameFlags = rest.isEmpty ? .endHeaders : []
                input.writeFrameHeader(FrameHeader(length: part.count, type: type, flags: flags, streamID: id))
                input.write(part)
                type = .continuation
            }
        }
        var machine = HTTP2Machine(role: .server)
        var offset = 0
        let bytes = input.array
        while let event = try machine.next(in: bytes.span, at: &offset) { #expect(event == .settings) }
        #expect(machine.openStreams == streams)
        var memory = 0
        for id in machine.streams.openIDs {
            let place = try #require(machine.streams.place(of: id))
            memory += machine.pool[machine.streams[place].slot]?.octets.count ?? 0
        }
        #expect(memory <= max(machine.heldBytes, streams * 1024))
    }
}
