import TestSupport
import Testing

@testable import APNSTransport

/// Tests of what counts as progress for the timer that ends connections on which something is owed and nothing moves.
@Suite("Stalling", .suiteLimit)
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

    @Test("Only frames that bring a request nearer to its end put off the end of an unfinished one")
    func unfinishedRequest() throws {
        let start = WireFrame.headers(1, request, end: false).bytes
        let idle: [WireFrame] = [
            .ping(), .settings(), .settingsAck, .priority(1), .priority(3), .windowUpdate(0, 1), .windowUpdate(1, 1),
            .data(1, [], end: false), WireFrame(type: 0xEE, payload: [1, 2, 3]),
        ]
        for frame in idle { #expect(try hasStalled(after: start, then: frame.bytes), "\(frame)") }
        #expect(try !hasStalled(after: start, then: WireFrame.data(1, [1], end: false).bytes))
        #expect(try !hasStalled(after: start, then: WireFrame.data(1, []).bytes))
        #expect(try !hasStalled(after: start, then: WireFrame.reset(1).bytes))
        #expect(try !hasStalled(after: start, then: WireFrame.headers(3, request).bytes + WireFrame.data(1, [1]).bytes))
    }

    @Test("A request that takes too long is reset, however many frames it brings; the others are not")
    func overdue() throws {
        let bench = try Bench(.server)
        let limit = bench.machine.limits.requestTime
        bench.machine.now = 1000
        try bench.feed(.headers(1, request, end: false))
        bench.machine.now += 1
        try bench.feed(.headers(3, request, end: false))
        for _ in 0..<10 {
            bench.machine.now += limit / 10
            try bench.feed(.data(1, [1], end: false))
        }
        bench.machine.now = 1000 + limit - 1
        bench.machine.resetOverdueRequests()
        #expect(bench.machine.openStreams == 2)
        bench.machine.now += 1
        bench.machine.resetOverdueRequests()
        #expect(bench.takeFrames().filter { $0.type == 3 } == [.reset(1, 11)])
        #expect(bench.machine.openStreams == 1)
        // What was on its way for it changes nothing.
        try bench.feed(.data(1, [1], end: false))
        try bench.feed(.data(3, [1]))
        #expect(bench.take(3)?.body == [1])
        bench.machine.now += limit
        bench.machine.resetOverdueRequests()
        #expect(bench.takeFrames().allSatisfy { $0.type != 3 })
    }

    @Test("An unauthenticated connection may hold little, and the full limit once it is authenticated")
    func stranger() throws {
        var limits = HTTP2Limits()
        limits.unauthenticatedHeldBytes = 10_000
        for trusts in [false, true] {
            let bench = try Bench(.server, limits: limits)
            if trusts { bench.machine.trust() }
            let frames = [UInt32(1), 3, 5, 7].flatMap { stream in
                [
                    WireFrame.headers(stream, request, end: false),
                    WireFrame.data(stream, Array(repeating: 1, count: 4000), end: false),
                ]
            }
            #expect(bench.failure(frames.flatMap(\.bytes)) == (trusts ? nil : .enhanceYourCalm))
        }
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
