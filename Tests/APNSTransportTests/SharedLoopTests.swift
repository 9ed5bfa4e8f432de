import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import APNSTransport

/// The event loop of a busy connection also serves devices' links.
@Suite("A busy connection leaves its event loop to others after each read", .suiteLimit)
struct SharedLoopTests {
    /// Answers requests, and measures how many come between the moment when something else is to be done on the event loop, and
    /// the moment when it is done.
    private final class Exchange: APNSRequestHandler {
        struct State {
            var count = 0
            var longestWait = 0
            var isWaiting = false
        }

        let state: Mutex<State> = Mutex(State())
        private let connection: APNSServerConnection

        init(_ connection: APNSServerConnection) { self.connection = connection }

        func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
            let asked = state.withLock { state -> Int? in
                state.count += 1
                guard !state.isWaiting else { return nil }
                state.isWaiting = true
                return state.count
            }
            guard let asked else { return true }
            connection.perform {
                self.state.withLock { state in
                    state.longestWait = max(state.longestWait, state.count - asked)
                    state.isWaiting = false
                }
            }
            return true
        }

        func closed() {}
    }

    @Test("No more requests than one read holds are answered before another task has its turn")
    func turns() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let exchanges = Mutex<[Exchange]>([])
        let server = try await APNSServer.start(
            host: "127.0.0.1",
            port: 0,
            certificates: [try TestIdentity.certificate()],
            key: try TestIdentity.key(),
            group: group,
            configuration: .patient
        ) { connection in
            let exchange = Exchange(connection)
            exchanges.withLock { $0.append(exchange) }
            return exchange
        }
        let client = try await RawClient.connect(port: server.port)
        let count = 900
        let bodyBytes = 4000
        let body = [UInt8](repeating: 0x20, count: bodyBytes)
        let frames = (0..<count).flatMap { number -> [WireFrame] in
            let stream = UInt32(number * 2 + 1)
            return [.headers(stream, WireFields.request(), end: false), .data(stream, body)]
        }
        client.send(frames)
        await client.settle()
        await client.close()
        await server.shutDown()
        try await group.shutdownGracefully()
        let served = exchanges.withLock { $0.first }
        let exchange = try #require(served)
        let (answered, wait) = exchange.state.withLock { ($0.count, $0.longestWait) }
        #expect(answered == count)
        #expect(wait > 0)
        // 131 072 octets, and the request that the read before has begun.
        #expect(wait <= 131_072 / bodyBytes + 1)
    }
}
