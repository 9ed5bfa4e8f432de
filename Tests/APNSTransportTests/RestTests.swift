import NIOCore
import NIOEmbedded
import Testing

@testable import APNSTransport

@Suite("Memory of a busy time")
struct RestTests {
    private func request(_ channel: EmbeddedChannel, _ stream: UInt32) throws {
        let frames = [.headers(stream, WireFields.request(), end: false), WireFrame.data(stream, [1, 2, 3])]
        try channel.writeInbound(ByteBuffer(bytes: frames.flatMap(\.bytes)))
    }

    @Test("It is kept while requests come, and given back after a second without one")
    func quiet() throws {
        let loop = EmbeddedEventLoop()
        let handler = ServerHandler(configuration: .patient, exchange: EchoExchange())
        let channel = EmbeddedChannel(handler: handler, loop: loop)
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(bytes: WireFrame.preface + WireFrame.settings().bytes))
        func hasSpareMemory() -> Bool { handler.machine.hasSpareMemory }
        #expect(!hasSpareMemory())
        try request(channel, 1)
        loop.advanceTime(by: .milliseconds(999))
        #expect(hasSpareMemory())
        try request(channel, 3)
        loop.advanceTime(by: .milliseconds(1))
        #expect(hasSpareMemory(), "the connection was busy within the second")
        #expect(handler.machine.pool.messages.count == 1)
        loop.advanceTime(by: .seconds(1))
        #expect(!hasSpareMemory())
        #expect(handler.machine.pool.isEmpty)
    }
}
