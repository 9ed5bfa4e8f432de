import TestSupport
import Testing

@testable import APNSTransport

@Suite("Order of answers", .suiteLimit)
struct AnswerOrderTests {
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

    @Test("Requests that were complete before a rule was broken are answered")
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
