import TestSupport
import Testing

@testable import APNSTransport

/// RFC 9113, sections 5.2 and 6.9.
@Suite("Flow control", .suiteLimit)
struct FlowControlTests {
    /// A server that has an answer of `count` octets on each of `streams` to give.
    private func server(_ streams: [UInt32], owing count: Int, settings: [(UInt16, UInt32)] = []) throws -> Bench {
        let bench = try Bench(.server)
        try bench.feed(.settings(settings))
        _ = bench.takeFrames()
        for stream in streams {
            try bench.feed(.headers(stream, WireFields.request()))
            bench.answer(stream, HTTP2Answer(status: 400, body: Array(repeating: 7, count: count)))
        }
        return bench
    }

    private func sizes(_ frames: [WireFrame], of stream: UInt32? = nil) -> [Int] {
        frames.filter { $0.type == 0 && (stream == nil || $0.stream == stream) }.map(\.payload.count)
    }

    @Test("An answer stops where the stream's window ends and goes on when it is widened")
    func streamWindow() throws {
        let bench = try server([1], owing: 10, settings: [(4, 3)])
        var frames = bench.takeFrames()
        #expect(sizes(frames) == [3])
        #expect(!frames.contains { $0.type == 0 && $0.endsStream })
        #expect(bench.isOwed)
        try bench.feed(.windowUpdate(1, 1))
        #expect(sizes(bench.takeFrames()) == [1])
        try bench.feed(.windowUpdate(1, 100))
        frames = bench.takeFrames()
        #expect(sizes(frames) == [6])
        #expect(frames.last?.endsStream == true)
        #expect(bench.machine.openStreams == 0)
        #expect(!bench.isOwed)
        // What comes for it later is late, not wrong.
        try bench.feed(.windowUpdate(1, 100))
    }

    @Test("A window of zero sends HEADERS and no DATA; an answer without a body is not held up")
    func zeroWindow() throws {
        let bench = try server([1], owing: 5, settings: [(4, 0)])
        #expect(bench.takeFrames().map(\.type) == [1])
        try bench.feed(.headers(3, WireFields.request()))
        bench.answer(3, HTTP2Answer(status: 200))
        let frames = bench.takeFrames()
        #expect(frames.map(\.type) == [1])
        #expect(frames.first?.endsStream == true)
        try bench.feed(.settings([(4, 5)]))
        #expect(sizes(bench.takeFrames(), of: 1) == [5])
    }

    @Test("A smaller initial window makes an open stream's negative, and it has to be paid back (RFC 9113, 6.9.2)")
    func negativeWindow() throws {
        let bench = try server([1], owing: 100, settings: [(4, 60)])
        #expect(sizes(bench.takeFrames()) == [60])
        try bench.feed(.settings([(4, 10)]))
        // The window is at -50 now.
        try bench.feed(.windowUpdate(1, 50))
        #expect(sizes(bench.takeFrames()) == [])
        try bench.feed(.windowUpdate(1, 1))
        #expect(sizes(bench.takeFrames()) == [1])
        try bench.feed(.settings([(4, 49)]))
        #expect(sizes(bench.takeFrames()) == [39])
        #expect(bench.machine.openStreams == 0)
    }

    @Test("A larger initial window beyond 2^31 - 1 of an open stream ends the connection (RFC 9113, 6.9.2)")
    func overflowBySettings() throws {
        let bench = try server([1], owing: 100_000)
        try bench.feed(.windowUpdate(1, 2_147_483_647))
        #expect(bench.failure(.settings([(4, 2_147_483_647)])) == .flowControlError)
    }

    @Test("The connection's window holds all streams; one stream's own holds only itself")
    func connectionWindow() throws {
        let bench = try server([1, 3, 5], owing: 30_000)
        let first = bench.takeFrames()
        #expect(sizes(first).reduce(0, +) == 65_535)
        try bench.feed(.windowUpdate(0, 10))
        #expect(sizes(bench.takeFrames(), of: 5) == [10])
        try bench.feed(.windowUpdate(0, 1_000_000))
        let rest: Int = 90_000 - 65_535 - 10
        #expect(sizes(bench.takeFrames()).reduce(0, +) == rest)
        #expect(bench.machine.openStreams == 0)

        let other = try server([1, 3], owing: 50, settings: [(4, 20)])
        _ = other.takeFrames()
        try other.feed(.windowUpdate(3, 100))
        let frames = other.takeFrames()
        #expect(sizes(frames, of: 1) == [])
        #expect(sizes(frames, of: 3) == [30])
    }

    @Test("A body is split by the largest frame that the other side takes", arguments: [16_384, 20_000, 1 << 20])
    func maxFrameSize(_ size: Int) throws {
        let bench = try server([1], owing: 60_000, settings: [(5, UInt32(size))])
        let found = sizes(bench.takeFrames())
        #expect(found.reduce(0, +) == 60_000)
        #expect(found.max() == min(size, 60_000))
        #expect(found.count == (60_000 + size - 1) / size)
    }

    @Test("A request waits in the same way, and resetting it takes it out of the line")
    func clientBody() throws {
        let bench = try Bench(.client)
        try bench.feed(.settings([(4, 10)]))
        bench.open(body: Array(repeating: 1, count: 25))
        bench.open(body: Array(repeating: 2, count: 5))
        #expect(sizes(bench.takeFrames()) == [10, 5])
        try bench.feed(.windowUpdate(1, 3))
        #expect(sizes(bench.takeFrames()) == [3])
        bench.machine.reset(1, .cancel)
        #expect(bench.takeFrames() == [.reset(1, 8)])
        try bench.feed(.windowUpdate(1, 100), .windowUpdate(0, 100))
        #expect(bench.takeFrames() == [])
        #expect(!bench.isOwed)
    }

    @Test("An answer before the request's end gives the rest up (RFC 9113, 8.1)")
    func earlyAnswer() throws {
        let bench = try Bench(.client)
        try bench.feed(.settings([(4, 10)]))
        bench.open(body: Array(repeating: 1, count: 25))
        _ = bench.takeFrames()
        try bench.feed(.headers(1, WireFields.answer(413)))
        #expect(bench.take(1)?.status == 413)
        #expect(bench.takeFrames() == [.reset(1, 0)])
        try bench.feed(.windowUpdate(1, 100))
        #expect(bench.takeFrames() == [])
    }

    @Test("Windows beyond 2^31 - 1: of the connection ends it, of a stream resets it (RFC 9113, 6.9.1)")
    func overflow() throws {
        let bench = try server([1], owing: 100_000)
        _ = bench.takeFrames()
        try bench.feed(.windowUpdate(1, 2_147_483_647))
        #expect(bench.failure(.windowUpdate(1, 2_147_483_647)) == nil)
        #expect(bench.takeFrames() == [.reset(1, 3)])
        #expect(bench.failure(.windowUpdate(0, 2_147_483_647), .windowUpdate(0, 2_147_483_647)) == .flowControlError)
    }

    @Test("Received bytes are granted again: never too late, never too much")
    func receiving() throws {
        var limits = HTTP2Limits()
        limits.streamWindowBytes = 100_000
        limits.connectionWindowBytes = 200_000
        let bench = try Bench(.server, limits: limits)
        try bench.feed(.headers(1, WireFields.request(), end: false))
        var windows: [UInt32: Int] = [0: 200_000, 1: 100_000]
        var chance = SeededChance(5)
        for _ in 0..<300 {
            let size = min(Int.random(in: 1...16_000, using: &chance), windows[0] ?? 0, windows[1] ?? 0)
            // What is granted may be used up to the last octet, padding included.
            #expect(size > 0)
            let frame: WireFrame =
                size > 300
                ? .data(1, Array(repeating: 1, count: size - 256), end: false, padding: 255)
                : .data(1, Array(repeating: 1, count: size), end: false)
            try bench.feed(frame)
            windows[0, default: 0] -= size
            windows[1, default: 0] -= size
            for update in bench.takeFrames() where update.type == 8 {
                windows[update.stream, default: 0] += Int(WireFrame.number(update.payload[...]))
            }
            #expect((windows[0] ?? 0) <= 200_000 && (windows[1] ?? 0) <= 100_000)
        }
    }

    @Test("More than a stream's window resets it, more than the connection's ends it")
    func tooMuch() throws {
        var limits = HTTP2Limits()
        limits.streamWindowBytes = 10_000
        let bench = try Bench(.server, limits: limits)
        try bench.feed(.headers(1, WireFields.request(), end: false))
        try bench.feed(.data(1, Array(repeating: 1, count: 10_001), end: false))
        #expect(bench.takeFrames() == [.reset(1, 3)])
        limits.streamWindowBytes = 1 << 20
        limits.connectionWindowBytes = 10_000
        let other = try Bench(.server, limits: limits)
        try other.feed(.headers(1, WireFields.request(), end: false))
        #expect(other.failure(.data(1, Array(repeating: 1, count: 10_001), end: false)) == .flowControlError)
    }

    @Test("DATA on streams that are gone counts for the connection, and is granted again")
    func lateData() throws {
        var limits = HTTP2Limits()
        limits.connectionWindowBytes = 70_000
        let bench = try Bench(.server, limits: limits)
        try bench.feed(.headers(1, WireFields.request(), end: false))
        bench.machine.reset(1, .cancel)
        _ = bench.takeFrames()
        var granted = 0
        for _ in 0..<20 {
            try bench.feed(.data(1, Array(repeating: 1, count: 10_000), end: false))
            granted += bench.takeFrames().filter { $0.type == 8 }.reduce(0) {
                $0 + Int(WireFrame.number($1.payload[...]))
            }
        }
        #expect(granted >= 160_000)
    }
}
