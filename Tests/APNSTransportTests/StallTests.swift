import Testing

@testable import APNSTransport

/// What counts as going on, for the timer that ends connections on which something is owed and nothing moves.
@Suite("Stalling", .timeLimit(.minutes(5)))
struct StallTests {
    private let request = WireFields.request()

    /// Whether the machine owes nothing, or had stalled if these octets were all that came meanwhile.
    private func hasStalled(after bytes: [UInt8], then more: [UInt8], settings: [(UInt16, UInt32)] = []) throws -> Bool
    {
        let bench = try Bench(.server)
        try bench.feed(.settings(settings))
        try bench.feed(bytes)
        for case .message(let stream) in bench.takeEvents() {
            _ = bench.take(stream)
            bench.answer(stream, HTTP2Answer(status: 400, body: [1, 2, 3]))
        }
        guard bench.isOwed else { return false }
        let before = bench.machine.progress
        for byte in more { try bench.feed([byte]) }
        return bench.machine.isOwed && bench.machine.hasStalled(since: before)
    }

    @Test("A trickled frame is no progress before it is whole")
    func trickledFrame() throws {
        let frame = WireFrame.headers(1, request).bytes
        #expect(try hasStalled(after: Array(frame[..<1]), then: Array(frame[1..<(frame.count - 1)])))
        #expect(try !hasStalled(after: Array(frame[..<1]), then: Array(frame[1...])))
    }

    @Test("Trickled CONTINUATION is no progress before the block is whole")
    func trickledContinuation() throws {
        let start = WireFrame.headers(1, request, endHeaders: false).bytes
        let more = (0..<50).flatMap { _ in WireFrame.continuation(1, [], end: false).bytes }
        #expect(try hasStalled(after: start, then: more))
        #expect(try !hasStalled(after: start, then: more + WireFrame.continuation(1, []).bytes))
    }

    @Test("Nothing is owed on a quiet connection, nor by one whose requests are not answered yet")
    func quiet() throws {
        #expect(try !hasStalled(after: [], then: []))
        let bench = try Bench(.server)
        try bench.feed(.headers(1, request))
        _ = bench.take(1)
        #expect(!bench.isOwed)
        try bench.feed(.headers(3, request, end: false))
        #expect(bench.isOwed)
        try bench.feed(.reset(3))
        #expect(!bench.isOwed)
    }

    @Test("An answer that waits for a window goes on with each octet of it, and with nothing else")
    func window() throws {
        let start = WireFrame.headers(1, request).bytes
        #expect(try hasStalled(after: start, then: WireFrame.ping().bytes, settings: [(4, 0)]))
        #expect(try hasStalled(after: start, then: WireFrame.windowUpdate(0, 100).bytes, settings: [(4, 0)]))
        #expect(try !hasStalled(after: start, then: WireFrame.windowUpdate(1, 1).bytes, settings: [(4, 0)]))
        #expect(try !hasStalled(after: start, then: WireFrame.reset(1).bytes, settings: [(4, 0)]))
    }
}
