import Synchronization
import TestSupport
import Testing

@testable import APNSTransport

/// A server reads several requests before it answers the first, so that their data can be loaded together.
@Suite("Requests of one read are announced together, and answered in order", .suiteLimit)
struct ReadAheadTests {
    private final class Exchange: APNSRequestHandler {
        enum Call: Equatable {
            case expect([String])
            case respond(String, stream: UInt32)
        }

        let calls: Mutex<[Call]> = Mutex([])
        let trustsPeer: Bool

        init(trustsPeer: Bool) { self.trustsPeer = trustsPeer }

        func expect(_ requests: [HTTP2Message]) {
            calls.withLock { $0.append(.expect(requests.map(Self.body))) }
        }

        func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
            calls.withLock { $0.append(.respond(Self.body(request), stream: stream)) }
            return true
        }

        func closed() {}

        private static func body(_ request: HTTP2Message) -> String { String(decoding: request.body, as: UTF8.self) }
    }

    /// Sends requests with numbers as their bodies in one piece, and then a frame that HTTP/2 does not allow.
    private static func calls(
        count: Int,
        trustsPeer: Bool = true,
        acceptedStreams: Int = 1000
    ) async throws -> (calls: [Exchange.Call], log: PeerLog) {
        let exchange = Exchange(trustsPeer: trustsPeer)
        var configuration = APNSServer.Configuration.patient
        configuration.limits.acceptedStreams = acceptedStreams
        configuration.limits.unauthenticatedHeldBytes = trustsPeer ? nil : 1 << 16
        let server = try await startServer(configuration) { _ in exchange }
        let client = try await RawClient.connect(port: server.port)
        await client.settle()
        let requests = (0..<count).flatMap { number -> [WireFrame] in
            let stream = UInt32(number * 2 + 1)
            return [.headers(stream, WireFields.request(), end: false), .data(stream, Array("\(number)".utf8))]
        }
        client.send(requests + [.data(0, [])])
        #expect(await client.ending() == HTTP2ErrorCode.protocolError.rawValue)
        let log = client.log
        await client.close()
        await server.shutDown()
        return (exchange.calls.withLock(\.self), log)
    }

    @Test("Eight at a time, and those before a violation before its GOAWAY")
    func groups() async throws {
        let (calls, log) = try await Self.calls(count: 21)
        let numbers = (0..<21).map { "\($0)" }
        let expected = [0..<8, 8..<16, 16..<21].flatMap { range -> [Exchange.Call] in
            [.expect(Array(numbers[range]))] + range.map { .respond("\($0)", stream: UInt32($0 * 2 + 1)) }
        }
        #expect(calls == expected)
        let answers = log.frames.filter { $0.type == 1 || $0.isGoAway }
        #expect(answers.count == 22)
        #expect(answers.last?.isGoAway == true)
    }

    @Test("No more than there may be streams, and none is refused for that")
    func streamLimit() async throws {
        let (calls, log) = try await Self.calls(count: 9, acceptedStreams: 4)
        let announced = calls.compactMap { if case .expect(let bodies) = $0 { bodies } else { nil } }
        #expect(announced == [["0", "1", "2", "3"], ["4", "5", "6", "7"]])
        #expect(log.frames.count { $0.type == 1 } == 9)
        #expect(!log.frames.contains { $0.isReset })
    }

    @Test("One at a time without a credential, which counts from the next request on")
    func unauthenticated() async throws {
        let (calls, _) = try await Self.calls(count: 5, trustsPeer: false)
        #expect(calls == (0..<5).map { .respond("\($0)", stream: UInt32($0 * 2 + 1)) })
    }
}
