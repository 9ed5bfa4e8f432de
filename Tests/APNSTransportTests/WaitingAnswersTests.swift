import Testing

@testable import APNSTransport

/// Requests that have come together are answered together, and nobody can tell.
@Suite("Answers that wait for each other", .timeLimit(.minutes(5)))
struct WaitingAnswersTests {
    /// A server with a complete request on stream 1, which is not answered, and an unfinished one on stream 3.
    private func bench(_ limits: HTTP2Limits = HTTP2Limits()) throws -> Bench {
        let bench = try Bench(.server, limits: limits)
        try bench.feed(.headers(1, WireFields.request()), .headers(3, WireFields.request(), end: false))
        #expect(bench.takeEvents() == [.message(1)])
        bench.machine.answersWait = true
        return bench
    }

    /// How many octets of a frame the machine takes in.
    private func taken(_ frame: WireFrame, _ bench: Bench) throws -> Int {
        let bytes = frame.bytes
        var offset = 0
        _ = try bench.machine.next(in: bytes.span, at: &offset)
        return offset
    }

    @Test(
        "A frame to which they make a difference is read after them",
        arguments: [
            .settings(), .ping(), .windowUpdate(0, 1), .windowUpdate(1, 1), .reset(1), .reset(3), .goAway(0),
            .priority(5),
            .headers(1, WireFields.request()), .data(1, [1]), .data(5, [1]),
        ] as [WireFrame]
    )
    func held(_ frame: WireFrame) throws {
        let bench = try bench()
        #expect(try taken(frame, bench) == 0)
        #expect(try taken(frame, bench) == 0)
        bench.answer(1, HTTP2Answer(status: 200))
        bench.machine.answersWait = false
        // Read now, whatever it comes to.
        let bytes = frame.bytes
        var offset = 0
        _ = try? bench.machine.next(in: bytes.span, at: &offset)
        #expect(offset == bytes.count)
    }

    @Test(
        "The next requests are read at once",
        arguments: [
            .headers(5, WireFields.request()), .headers(5, WireFields.request(), end: false), .data(3, [1]),
            .data(3, [1], end: false),
        ] as [WireFrame]
    )
    func read(_ frame: WireFrame) throws {
        #expect(try taken(frame, bench()) == frame.bytes.count)
    }

    @Test("A request beyond the limit is not refused for those that are only not answered yet")
    func limit() throws {
        var limits = HTTP2Limits()
        limits.acceptedStreams = 2
        #expect(try taken(.headers(5, WireFields.request()), bench(limits)) == 0)
    }

    @Test("Many requests in one write, with other frames between them, are answered once each and in their order")
    func order() async throws {
        try await withServer { port in
            let client = try await RawClient.connect(port: port)
            var frames: [WireFrame] = []
            let streams = (0..<50).map { UInt32($0 * 2 + 1) }
            for stream in streams {
                frames.append(
                    .headers(stream, WireFields.request(stream % 3 == 0 ? "/echo" : "/3/device/00"), end: false)
                )
                frames.append(.data(stream, [UInt8(stream)]))
                if stream == 21 { frames.append(.ping([0, 0, 0, 0, 0, 0, 0, 21])) }
            }
            client.send(frames)
            await client.settle()
            let seen = client.log.frames
            let answered = seen.filter { $0.type == 1 }.map(\.stream)
            #expect(answered == streams)
            let bodies = seen.filter { $0.type == 0 }.map { [$0.stream] + $0.payload.map(UInt32.init) }
            let echoes = streams.filter { $0 % 3 == 0 }.map { [$0, $0] }
            #expect(bodies == echoes)
            // The answer to a PING leaves after those to the requests before it, and before the others.
            let ping = try #require(seen.firstIndex(of: .ping([0, 0, 0, 0, 0, 0, 0, 21], ack: true)))
            let before = try #require(seen.firstIndex { $0.type == 1 && $0.stream == 21 })
            let after = try #require(seen.firstIndex { $0.type == 1 && $0.stream == 23 })
            #expect(before < ping)
            #expect(ping < after)
            await client.close()
        }
    }

    @Test("What was complete before a rule was broken is answered")
    func broken() async throws {
        try await withServer { port in
            let client = try await RawClient.connect(port: port)
            let requests = [1, 3, 5].map { WireFrame.headers($0, WireFields.request()) }
            client.send(requests + [.windowUpdate(0, 0)])
            #expect(await client.ending() == HTTP2ErrorCode.protocolError.rawValue)
            let answered = client.log.frames.filter { $0.type == 1 }.map(\.stream)
            #expect(answered == [1, 3, 5])
            await client.close()
        }
    }
}
