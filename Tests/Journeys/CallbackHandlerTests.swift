import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import PosthornStack

@Suite("A connection for callbacks")
struct CallbackHandlerTests {
    @Test("A request in the turn in which the connection has been idle for too long is answered")
    func idle() throws {
        let loop = EmbeddedEventLoop()
        let channel = EmbeddedChannel(handler: CallbackHandler(), loop: loop)
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let answers = [0, 1].map { _ in loop.makePromise(of: CallbackExchange.Answer.self) }
        func exchange(_ number: Int) -> CallbackExchange {
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
            return CallbackExchange(head: head, body: ByteBuffer(), limit: .seconds(10), answer: answers[number])
        }
        func answer() throws {
            try channel.writeInbound(HTTPClientResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
            try channel.writeInbound(HTTPClientResponsePart.end(nil))
        }
        // A loop takes all tasks that are due before it runs the first of them, here in the order in which they were scheduled.
        loop.scheduleTask(in: CallbackHandler.idleTime) { channel.writeAndFlush(exchange(1), promise: nil) }
        try channel.writeOutbound(exchange(0))
        try answer()
        #expect(try answers[0].futureResult.wait().isReusable)
        loop.advanceTime(by: CallbackHandler.idleTime)
        #expect(channel.isActive)
        try answer()
        #expect(try answers[1].futureResult.wait().status == .ok)
        loop.advanceTime(by: CallbackHandler.idleTime)
        #expect(!channel.isActive)
    }
}
