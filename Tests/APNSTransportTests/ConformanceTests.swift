import TestSupport
import Testing

@testable import APNSTransport

/// RFC 9113 and RFC 7541 over a TLS socket, rule by rule, in the order of h2spec's list.
@Suite("Conformance of the server", .suiteLimit)
struct ConformanceTests {
    /// One server for all cases: none of them may harm another.
    private static let server = Task { try await startServer() }
    private static let probe = Array("settled?".utf8)

    @Test(arguments: ConformanceCase.all)
    func rule(_ rule: ConformanceCase) async throws {
        let port = try await Self.server.value.port
        let client = try await RawClient.connect(port: port, isGreeting: rule.isGreeting)
        client.send(rule.bytes)
        await client.settle(Self.probe)
        let frames = client.log.frames
        await client.close()
        let goAway = client.log.goAway?.errorCode
        let resets = frames.filter(\.isReset)
        switch rule.reaction {
        case .connectionError(let codes):
            #expect(goAway.map(codes.contains) == true, "\(frames)")
            return
        case .streamError(let stream, let codes):
            #expect(resets.map(\.stream) == [stream], "\(frames)")
            #expect(resets.first?.errorCode.map(codes.contains) == true)
        case .answered(let streams):
            #expect(resets == [])
            #expect(try statuses(frames) == streams)
        case .body(let stream, let sizes):
            #expect(frames.filter { $0.type == 0 && $0.stream == stream }.map(\.payload.count) == sizes)
        case .pong(let octets):
            #expect(frames.contains(.ping(octets, ack: true)))
        case .nothing:
            #expect(frames.filter { $0.type == 0 || $0.type == 1 || $0.isReset } == [])
            #expect(frames.filter { $0.type == 6 } == [.ping(Self.probe, ack: true)])
        }
        #expect(goAway == nil, "\(frames)")
        #expect(frames.contains(.ping(Self.probe, ack: true)))
    }

    @Test("There are enough of them")
    func count() {
        #expect(ConformanceCase.all.count >= 150)
    }

    private func statuses(_ frames: [WireFrame]) throws -> [UInt32: Int] {
        let reader = BlockReader()
        var found: [UInt32: Int] = [:]
        for frame in frames where frame.type == 1 {
            found[frame.stream] = try reader.block(frame.payload).status
        }
        return found
    }

    @Test("A connection error is told, with the last stream, and then the connection is closed (RFC 9113, 5.4.1)")
    func connectionErrorCloses() async throws {
        try await withServer { port in
            let client = try await RawClient.connect(port: port)
            client.send(.headers(5, ConformanceCase.request), .windowUpdate(0, 0), .headers(7, ConformanceCase.request))
            await client.log.waitUntilClosed()
            let goAways = client.log.frames.filter(\.isGoAway)
            #expect(goAways.count == 1)
            #expect(goAways.first?.payload.prefix(8) == [0, 0, 0, 5, 0, 0, 0, 1])
            #expect(!client.log.frames.contains { $0.stream == 7 })
        }
    }

    @Test("A client that offers no protocol by ALPN is served, whatever the pieces it sends")
    func octetByOctet() async throws {
        try await withServer { port in
            let client = try await RawClient.connect(port: port, isGreeting: false)
            let bytes =
                WireFrame.preface + WireFrame.settings().bytes + WireFrame.headers(1, ConformanceCase.request).bytes
            for byte in bytes { try await client.push([byte]) }
            await client.settle()
            #expect(client.log.frames.contains { $0.type == 1 && $0.stream == 1 && $0.endsStream })
            await client.close()
        }
    }
}
