import TestSupport
import Testing

@testable import APNSTransport

/// The cap that ``HTTP2Limits`` states.
@Suite("Memory of one connection", .suiteLimit)
struct MemoryTests {
    private static let slot = 16_384

    private func cap(_ limits: HTTP2Limits) -> Int {
        2 * limits.heldBytes + (limits.acceptedStreams + 1) * Self.slot + 4 * limits.headerBlockBytes + 65_536
    }

    private func size(_ message: borrowing HTTP2Message) -> Int {
        message.fields.bytes.capacity + message.fields.fields.capacity * MemoryLayout<FieldBlock.Field>.stride
            + message.body.capacity
    }

    /// Returns the capacity of the machine's arrays, in bytes.
    private func footprint(_ bench: Bench) -> Int {
        var sum = bench.machine.openBlock?.bytes.capacity ?? 0
        for message in bench.machine.pool.messages { sum += size(message) }
        // The table is at most a quarter full.
        sum += bench.machine.openStreams * 4 * MemoryLayout<HTTP2Machine.Stream>.stride
        for body in bench.machine.pending { sum += body.bytes.capacity }
        return sum + bench.machine.decoder.table.bytes.capacity + bench.machine.scratch.capacity
    }

    private let large = WireFields.request("/", [("x", String(repeating: "v", count: 7500))])

    @Test("A thousand requests that do not end, each as large as may be")
    func unfinished() throws {
        let limits = HTTP2Limits()
        let bench = try Bench(.server, limits: limits)
        let body = [UInt8](repeating: 1, count: 8192)
        for number in 0..<1000 {
            let stream = UInt32(number * 2 + 1)
            try bench.feed(.headers(stream, large, end: false), .data(stream, body, end: false))
        }
        #expect(bench.machine.openStreams == 1000)
        #expect(bench.machine.heldBytes <= limits.heldBytes)
        #expect(footprint(bench) <= cap(limits))
        // Bodies beyond what is kept hold nothing.
        let before = bench.machine.heldBytes
        for number in 0..<1000 { try bench.feed(.data(UInt32(number * 2 + 1), body, end: false)) }
        #expect(bench.machine.heldBytes == before)
        for number in 0..<1000 { try bench.feed(.reset(UInt32(number * 2 + 1))) }
        #expect(bench.machine.heldBytes == 0)
        bench.machine.shrink()
        #expect(footprint(bench) <= 16_384)
    }

    @Test("Too much memory held at once ends the connection before the limit is exceeded")
    func tooMuch() throws {
        var limits = HTTP2Limits()
        limits.heldBytes = 100_000
        let bench = try Bench(.server, limits: limits)
        var code: HTTP2ErrorCode?
        var stream: UInt32 = 1
        while code == nil {
            code = bench.failure(.headers(stream, large, end: false))
            stream += 2
        }
        #expect(code == .enhanceYourCalm)
        #expect(footprint(bench) <= cap(limits))
    }

    @Test("Small requests in memory that large ones have left")
    func usedAgain() throws {
        let limits = HTTP2Limits()
        let bench = try Bench(.server, limits: limits)
        let small = WireFields.request("/later")
        var stream: UInt32 = 1
        // Answered with 431, but read.
        let block = WireFields.request("/", [("x", String(repeating: "v", count: 30_000))])
        for _ in 0..<900 {
            try bench.feed(
                .headers(stream, Array(block[..<16_000]), end: false, endHeaders: false),
                .continuation(stream, Array(block[16_000...])),
                .data(stream, [UInt8](repeating: 1, count: 8192))
            )
            _ = bench.take(stream)
            bench.answer(stream, HTTP2Answer(status: 200))
            try bench.feed(.headers(stream + 2, small, end: false))
            stream += 4
            _ = bench.takeFrames()
        }
        #expect(bench.machine.openStreams == 900)
        #expect(footprint(bench) <= 901 * Self.slot + 16_384)
    }

    @Test("Header lists that are too large, on streams that stay open")
    func tooLarge() throws {
        let limits = HTTP2Limits()
        let bench = try Bench(.server, limits: limits)
        let block = WireFields.request("/", [("x", String(repeating: "v", count: 30_000))])
        for number in 0..<500 {
            let stream = UInt32(number * 2 + 1)
            try bench.feed(
                .headers(stream, Array(block[..<16_000]), end: false, endHeaders: false),
                .continuation(stream, Array(block[16_000...]))
            )
        }
        #expect(bench.machine.openStreams == 500)
        #expect(footprint(bench) <= 501 * Self.slot + 2 * limits.headerBlockBytes)
    }

    @Test("A header block that does not end")
    func endlessBlock() throws {
        let limits = HTTP2Limits()
        let bench = try Bench(.server, limits: limits)
        try bench.feed(.headers(1, Array(repeating: 0x82, count: 16_384), endHeaders: false))
        while bench.failure(.continuation(1, Array(repeating: 0x82, count: 1000), end: false)) == nil {
            #expect(footprint(bench) <= 2 * limits.headerBlockBytes + 16_384)
        }
    }
}
