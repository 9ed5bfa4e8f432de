import NIOCore
import Testing

@testable import APNSTransport

/// What the fuzz targets of Fuzzing/ have found, each with its input.
@Suite("Fuzzing: what it found")
struct FuzzFindingTests {
    /// Each literal of two octets named a name of 4000 in the table, and each copy of it was kept: 32 KiB of header block
    /// became 64 MB, in a message that the connection then kept for use again.
    @Test("Fields beyond the limit of the list take no memory, whatever they are made of", arguments: [true, false])
    func literalsOfLongNames(_ isLong: Bool) throws {
        var block: [UInt8] = []
        if isLong {
            var long = ByteBuffer()
            long.writeInteger(0x40 as UInt8)
            HPACKInteger.write(4000, prefix: 7, pattern: 0, to: &long)
            long.writeRepeatingByte(UInt8(ascii: "n"), count: 4000)
            long.writeInteger(0 as UInt8)
            block = Array(long.readableBytesView)
            // A literal without indexing, its name by the newest index, its value empty.
            for _ in 0..<9000 { block += [0x0F, 0x2F, 0x00] }
        } else {
            // `accept-encoding: gzip, deflate` from the static table.
            block = Array(repeating: 0x90, count: 32_000)
        }
        var decoder = HPACKDecoder(catalog: APNSField.catalog)
        var fields = FieldBlock()
        try decoder.decode(block.span, into: &fields, listLimit: 8000)
        #expect(fields.listSize > 8000)
        #expect(fields.bytes.count <= 32_768)
        #expect(fields.fields.count <= 250)
    }
}
