import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import APNSTransport

@Suite("Keep-alive")
struct KeepAliveTests {
    private let rules = KeepAlive.Rules(pingAfter: .hours(1), answerWithin: .seconds(20), quietAfter: .minutes(1))

    private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test("A PING after an hour of silence, the end if nothing is said after it")
    func silence() {
        var keepAlive = KeepAlive(KeepAlive.Rules(quietAfter: nil), at: at(0))
        #expect(keepAlive.next == at(3600))
        #expect(keepAlive.look(at: at(3599)) == nil)
        #expect(keepAlive.look(at: at(3600)) == .ping)
        #expect(keepAlive.next == at(3620))
        #expect(keepAlive.look(at: at(3619)) == nil)
        #expect(keepAlive.look(at: at(3620)) == .giveUp)
    }

    @Test("Any frame counts as an answer and ends the silence")
    func heard() {
        var keepAlive = KeepAlive(KeepAlive.Rules(quietAfter: nil), at: at(0))
        keepAlive.hear(at: at(1000))
        #expect(keepAlive.next == at(4600))
        #expect(keepAlive.look(at: at(4600)) == .ping)
        keepAlive.hear(at: at(4601))
        #expect(keepAlive.look(at: at(4700)) == nil)
        #expect(keepAlive.next == at(8201))
    }

    @Test("A word each time nothing was asked for long")
    func quiet() {
        var keepAlive = KeepAlive(rules, at: at(0))
        #expect(keepAlive.next == at(60))
        #expect(keepAlive.look(at: at(60)) == .quiet)
        #expect(keepAlive.next == at(120))
        keepAlive.use(at: at(100))
        #expect(keepAlive.look(at: at(120)) == nil)
        #expect(keepAlive.next == at(160))
    }

    @Test("On a connection: PING frame, and the end of a half-open one")
    func connection() throws {
        let events = Mutex<[String]>([])
        let loop = EmbeddedEventLoop()
        let handler = ClientHandler(
            authority: "localhost",
            limits: HTTP2Limits(),
            stallLimit: .hours(100),
            keepAlive: KeepAlive.Rules(quietAfter: nil)
        ) { event in
            if case .closed(let reason) = event { events.withLock { $0.append(reason) } }
        } report: { _ in
        }
        let channel = EmbeddedChannel(handler: handler, loop: loop)
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        var settings = ByteBuffer()
        settings.writeBytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
        try channel.writeInbound(settings)
        while try channel.readOutbound(as: ByteBuffer.self) != nil {}
        loop.advanceTime(by: .seconds(3599))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        loop.advanceTime(by: .seconds(1))
        let ping = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(Array(ping.readableBytesView) == [0, 0, 8, 6, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 8))
        var pong = ByteBuffer()
        pong.writeBytes([0, 0, 8, 6, 1, 0, 0, 0, 0] + Array(repeating: 0, count: 8))
        try channel.writeInbound(pong)
        loop.advanceTime(by: .seconds(3600))
        #expect(try channel.readOutbound(as: ByteBuffer.self) != nil)
        #expect(events.withLock(\.self) == [])
        loop.advanceTime(by: .seconds(20))
        #expect(events.withLock(\.self) == ["no answer to PING"])
    }
}
