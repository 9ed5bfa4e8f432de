import TestSupport
import Testing

@testable import APNSTransport

/// RFC 9113, sections 5.1, 6.4, 6.8, 6.10 and 8.1, seen from the machine.
@Suite("Streams and connections", .suiteLimit)
struct ConnectionStateTests {
    // MARK: - GOAWAY

    @Test("A server that leaves answers what it took and ignores what comes after")
    func serverLeaves() throws {
        let bench = try Bench(.server)
        try bench.feed(.headers(1, WireFields.request()), .headers(3, WireFields.request()))
        bench.machine.goAway(lastStreamID: 1, .noError, debugData: [1])
        #expect(bench.takeFrames() == [.goAway(1, 0, [1])])
        #expect(bench.machine.openStreams == 1)
        _ = bench.takeEvents()
        // A busy client has a lot under way that it cannot take back: none of it is an attack or needs an answer.
        for number in 0..<1500 {
            let stream = UInt32(number * 2 + 5)
            try bench.feed(.headers(stream, WireFields.request(), end: false), .data(stream, [1, 2]))
        }
        try bench.feed(.data(3, [1]), .reset(3), .windowUpdate(3, 1))
        #expect(bench.takeEvents() == [])
        #expect(bench.takeFrames() == [])
        bench.answer(1, HTTP2Answer(status: 200))
        #expect(bench.takeFrames().map(\.stream) == [1])
        #expect(bench.machine.openStreams == 0)
    }

    @Test("The number of a GOAWAY only ever gets lower")
    func lowerOnly() throws {
        let bench = try Bench(.server)
        bench.machine.goAway(lastStreamID: nil, .noError, debugData: [])
        bench.machine.goAway(lastStreamID: 5, .noError, debugData: [])
        bench.machine.goAway(lastStreamID: 9, .noError, debugData: [])
        bench.machine.fail(HTTP2ConnectionError(.protocolError, "x"))
        let last = bench.takeFrames().map { WireFrame.number($0.payload[0..<4]) }
        #expect(last == [0x7FFF_FFFF, 5, 5, 0])
    }

    @Test("The table of fields is kept up for requests that are not taken any more (RFC 9113, 6.8)")
    func tableAfterGoAway() throws {
        let bench = try Bench(.server)
        try bench.feed(.headers(1, WireFields.request(), end: false))
        bench.machine.goAway(lastStreamID: 1, .noError, debugData: [])
        let remembered = [0x40 as UInt8] + WireFields.string([0x61]) + WireFields.string([0x62])
        try bench.feed(.headers(3, WireFields.request() + remembered), .headers(1, [0x80 | 62]))
        #expect(bench.takeEvents() == [.message(1)])
    }

    @Test("A client that is sent away keeps what was taken and loses what was not")
    func clientIsSentAway() throws {
        let bench = try Bench(.client)
        for tag in 1...4 { bench.open(tag: UInt64(tag)) }
        try bench.feed(.goAway(3, 0, Array("{}".utf8)))
        #expect(bench.takeEvents() == [.goAway(lastStreamID: 3, .noError, debugData: Array("{}".utf8))])
        #expect(!bench.canOpen)
        let lost = bench.machine.closeStreams(above: 3)
        #expect(lost == [3, 4])
        try bench.feed(.headers(3, WireFields.answer()), .headers(7, WireFields.answer()))
        #expect(bench.takeEvents() == [.message(3)])
        // The second is no wider than the first, and may be narrower.
        try bench.feed(.goAway(5), .goAway(1))
        #expect(bench.takeEvents().map { "\($0)" }.map { $0.contains("lastStreamID: 3") } == [true, false])
    }

    @Test("GOAWAY for ever ends the connection")
    func goAwayLoop() throws {
        let bench = try Bench(.client)
        for _ in 0..<16 { try bench.feed(.goAway(0)) }
        #expect(bench.failure(.goAway(0)) == .enhanceYourCalm)
    }

    // MARK: - CONTINUATION

    @Test("A long header block leaves in pieces that each fit, and arrives whole", arguments: [16_384, 17_000])
    func longBlock(_ maxFrameSize: Int) throws {
        var limits = HTTP2Limits()
        limits.headerListBytes = 100_000
        limits.headerBlockBytes = 100_000
        let client = try Bench(.client)
        try client.feed(.settings([(5, UInt32(maxFrameSize))]))
        _ = client.takeFrames()
        let server = try Bench(.server, limits: limits)
        let values = (0..<5).map { String(repeating: "\($0)", count: 9000) }
        for hasBody in [false, true] {
            let stream = client.open(fields: values.map { ("x-long", $0) }, body: hasBody ? [1, 2] : [])
            let frames = client.takeFrames()
            #expect(frames.prefix(3).map(\.type) == [1, 9, 9])
            #expect(frames.prefix(2).map(\.payload.count) == [maxFrameSize, maxFrameSize])
            #expect(frames.map(\.endsStream) == (hasBody ? [false, false, false, true] : [true, false, false]))
            #expect(frames.prefix(3).map { $0.flags & 4 } == [0, 0, 4])
            // Cut to what we take ourselves.
            try server.feed(
                frames.flatMap { frame -> [WireFrame] in
                    guard frame.payload.count > 16_384 else { return [frame] }
                    var first = frame
                    first.payload = Array(frame.payload[..<16_384])
                    return [first, .continuation(frame.stream, Array(frame.payload[16_384...]), end: false)]
                }
            )
            #expect(server.takeEvents() == [.message(stream)])
            #expect(server.take(stream)?.fields.suffix(5) == values.map { "x-long: \($0)" }[...])
        }
    }

    @Test("An answer's long header block leaves in pieces, too")
    func longAnswer() throws {
        let server = try Bench(.server)
        try server.feed(.headers(1, WireFields.request()))
        _ = server.takeFrames()
        var answer = HTTP2Answer(status: 200)
        let value = [UInt8](repeating: 0x61, count: 40_000)
        answer.add(FieldName.uniqueID, value)
        server.answer(1, answer)
        let frames = server.takeFrames()
        #expect(frames.map(\.type) == [1, 9, 9])
        #expect(frames.map(\.endsStream) == [true, false, false])
        var limits = HTTP2Limits()
        limits.headerListBytes = 100_000
        limits.headerBlockBytes = 100_000
        let client = try Bench(.client, limits: limits)
        client.open()
        try client.feed(frames)
        #expect(client.take(1)?.fields.last?.utf8.count == 40_000 + "apns-unique-id: ".utf8.count)
    }

    // MARK: - Answers

    @Test("Interim answers are passed over, up to a limit (RFC 9110, 15.2)")
    func interim() throws {
        let bench = try Bench(.client)
        for _ in 0..<3 { bench.open() }
        try bench.feed(.headers(1, WireFields.answer(100), end: false), .headers(1, WireFields.answer(103), end: false))
        #expect(bench.takeEvents() == [])
        try bench.feed(.headers(1, WireFields.answer(200)))
        #expect(bench.takeEvents() == [.message(1)])
        #expect(bench.take(1)?.status == 200)
        for _ in 0..<16 { try bench.feed(.headers(3, WireFields.answer(100), end: false)) }
        #expect(bench.takeEvents() == [])
        try bench.feed(.headers(3, WireFields.answer(100), end: false))
        #expect(bench.takeEvents() == [.reset(3, tag: 0, .enhanceYourCalm)])
        try bench.feed(.headers(5, WireFields.answer(100), end: true))
        #expect(bench.takeEvents() == [.reset(5, tag: 0, .protocolError)])
    }

    @Test(
        "Answers that are none",
        arguments: [
            [], [(":status", "")], [(":status", "20")], [(":status", "2000")], [(":status", "abc")],
            [(":status", "099")],
            [(":status", "101")], [(":status", "200"), (":status", "200")], [("a", "b"), (":status", "200")],
            [(":status", "200"), (":path", "/")], [(":method", "GET")], [(":status", "200"), ("Upper", "x")],
            [(":status", "200"), ("connection", "close")], [(":status", "200"), ("a", "x\r\ny")],
            [(":status", "200"), (":other", "x")], [(":status", "200"), ("content-length", "x")],
            [(":status", "200"), ("content-length", "1")],
            [(":status", "200"), ("x", String(repeating: "v", count: 9000))],
        ] as [[(String, String)]]
    )
    func badAnswer(_ fields: [(String, String)]) throws {
        let bench = try Bench(.client)
        bench.open(tag: 7)
        _ = bench.takeFrames()
        try bench.feed(.headers(1, WireFields.block(fields)))
        #expect(bench.takeEvents() == [.reset(1, tag: 7, .protocolError)])
        #expect(bench.takeFrames() == [.reset(1, 1)])
        #expect(bench.machine.openStreams == 0)
    }

    @Test("An answer that has no content may say how long it would be (RFC 9113, 8.1.1)", arguments: [204, 304])
    func lengthOfNoContent(_ status: Int) throws {
        let bench = try Bench(.client)
        bench.open()
        try bench.feed(.headers(1, WireFields.answer(status, [("content-length", "10")])))
        #expect(bench.takeEvents() == [.message(1)])
    }

    @Test("Trailers end an answer and add nothing to it")
    func trailers() throws {
        let bench = try Bench(.client)
        for _ in 0..<4 { bench.open() }
        let field = WireFields.block([("x", "y")])
        try bench.feed(.headers(1, WireFields.answer(), end: false), .data(1, [1, 2], end: false), .headers(1, field))
        #expect(bench.takeEvents() == [.message(1)])
        let taken = bench.take(1)
        #expect(taken?.fields == [":status: 200"])
        #expect(taken?.body == [1, 2])
        // Without END_STREAM, with a pseudo-header, with a bad name.
        try bench.feed(.headers(3, WireFields.answer(), end: false), .headers(3, field, end: false))
        try bench.feed(.headers(5, WireFields.answer(), end: false), .headers(5, WireFields.answer()))
        try bench.feed(.headers(7, WireFields.answer(), end: false), .headers(7, WireFields.block([("X", "y")])))
        #expect(bench.takeEvents() == [3, 5, 7].map { .reset($0, tag: 0, .protocolError) })
    }

    @Test("A body beyond what is kept is counted and read to its end")
    func longBody() throws {
        let bench = try Bench(.server)
        try bench.feed(.headers(1, WireFields.request(), end: false))
        for number in 0..<100 { try bench.feed(.data(1, Array(repeating: 1, count: 10_000), end: number == 99)) }
        let taken = bench.take(1)
        #expect(taken?.body.count == 8192)
        #expect(taken?.bodyBytes == 1_000_000)
    }

    @Test("DATA before an answer's fields resets the stream; what follows is passed over")
    func dataFirst() throws {
        let bench = try Bench(.client)
        bench.open(tag: 3)
        try bench.feed(.data(1, [1]), .headers(1, WireFields.answer()), .reset(1), .windowUpdate(1, 1))
        #expect(bench.takeEvents() == [.reset(1, tag: 3, .protocolError)])
    }

    @Test(
        "Violations that end a client's connection",
        arguments: [
            (.headers(9, WireFields.answer()), .protocolError), (.data(9, [1]), .protocolError),
            (.reset(9), .protocolError), (.windowUpdate(9, 1), .protocolError), (.headers(2, []), .protocolError),
            (.data(2, [1]), .protocolError), (.reset(2), .protocolError), (.windowUpdate(2, 1), .protocolError),
            (.pushPromise(1, 2, WireFields.request()), .protocolError), (.headers(1, [0x80]), .compressionError),
            (.continuation(1, []), .protocolError), (.settings([(2, 1)]), .protocolError),
            (.headers(0, []), .protocolError),
        ] as [(WireFrame, HTTP2ErrorCode)]
    )
    func endsClient(_ frame: WireFrame, _ code: HTTP2ErrorCode) throws {
        let bench = try Bench(.client)
        bench.open()
        #expect(bench.failure(frame) == code)
    }

    @Test("The memory of messages is used again, however many have passed")
    func spares() throws {
        let bench = try Bench(.server)
        for number in 0..<300 {
            let stream = UInt32(number * 2 + 1)
            try bench.feed(.headers(stream, WireFields.request(), end: false), .data(stream, [1, 2, 3]))
            guard let (_, message) = bench.machine.takeMessage(of: stream) else {
                Issue.record("there is no message")
                return
            }
            bench.answer(stream, HTTP2Answer(status: 200))
            bench.machine.giveBack(message)
            // The next one to be taken has been used before.
            let capacity = bench.machine.pool.messages.last?.body.capacity ?? 0
            #expect(capacity > 0)
        }
        #expect(bench.machine.heldBytes == 0)
        #expect(bench.machine.pool.messages.count == 1)
    }

    @Test("The numbers of streams run out, and no request is opened then")
    func usedUp() throws {
        let bench = try Bench(.client)
        bench.machine.nextStream = 0x7FFF_FFFD
        #expect(bench.canOpen)
        #expect(bench.open() == 0x7FFF_FFFD)
        #expect(!bench.canOpen)
        let isUsedUp = bench.machine.isUsedUp
        #expect(isUsedUp)
        try bench.feed(.headers(0x7FFF_FFFD, WireFields.answer()))
        #expect(bench.takeEvents() == [.message(0x7FFF_FFFD)])
    }
}
