import APNSGateway
import APNSTransport
import AppleDeveloper
import DeviceLink
import DeviceLinkNIO
import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOWebSocket
import NetworkSupport
import PushModel
import Synchronization
import TestSupport
import Testing

/// Keeps what happens on a link.
private final class LinkLog: LinkAcceptor {
    private let events = Mutex<[String]>([])
    private let connections = Mutex<[any LinkConnection]>([])

    var all: [String] { events.withLock { $0 } }
    var connection: (any LinkConnection)? { connections.withLock { $0.last } }

    func note(_ event: LinkEvent) {
        events.withLock { events in
            switch event {
            case .opened: events.append("opened")
            case .received(let text): events.append(text)
            case .closed: events.append("closed")
            }
        }
    }

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        connections.withLock { $0.append(connection) }
        return { self.note($0) }
    }
}

@Suite("Links over WebSocket", .suiteLimit)
struct LinkTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    @Test("Texts arrive in order both ways, and both ends hear of the end once")
    func talks() async throws {
        let server = LinkLog()
        let client = LinkLog()
        let listener = try await WebSocketListener.start(
            host: "127.0.0.1",
            port: 0,
            acceptors: ["/link": server],
            group: group
        )
        let link = WebSocketDialer(group: group).open("ws://127.0.0.1:\(listener.port)/link?x=1") { client.note($0) }
        try await eventually("the client has seen its events") { client.all == ["opened"] }
        let texts = (0..<1000).map { "text \($0)" }
        for text in texts { link.send(text) }
        try await eventually("the server has seen its events") { server.all.count == 1000 }
        #expect(server.all == texts)
        for text in texts { server.connection?.send(text) }
        try await eventually("the client has seen its events") { client.all.count == 1001 }
        #expect(client.all.dropFirst() == texts[...])
        link.close()
        try await eventually("the client has seen its events") {
            client.all.last == "closed" && server.all.last == "closed"
        }
        link.send("too late")
        await listener.close()
        #expect(client.all.count { $0 == "closed" } == 1)
    }

    @Test("A listener that closes says goodbye; an unknown path and a dead port say why")
    func ends() async throws {
        let listener = try await WebSocketListener.start(
            host: "127.0.0.1",
            port: 0,
            acceptors: ["/link": LinkLog()],
            group: group
        )
        let dialer = WebSocketDialer(group: group)
        let open = LinkLog()
        let lost = LinkLog()
        _ = dialer.open("ws://127.0.0.1:\(listener.port)/link") { open.note($0) }
        _ = dialer.open("ws://127.0.0.1:\(listener.port)/elsewhere") { lost.note($0) }
        try await eventually("the open link has seen its events") { open.all == ["opened"] && lost.all == ["closed"] }
        await listener.close()
        try await eventually("the open link has seen its events") { open.all == ["opened", "closed"] }
        let dead = LinkLog()
        _ = dialer.open("ws://127.0.0.1:\(listener.port)/link") { dead.note($0) }
        _ = dialer.open("http://127.0.0.1/") { dead.note($0) }
        try await eventually("the dead link has seen its events") { dead.all == ["closed", "closed"] }
    }

    @Test("A server that takes the connection and never answers counts as closed")
    func silentServer() async throws {
        let silent = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(silent.localAddress?.port)
        let log = LinkLog()
        let dialer = WebSocketDialer(
            group: group,
            configuration: LinkConfiguration { $0.openTimeout = .milliseconds(50) }
        )
        _ = dialer.open("ws://127.0.0.1:\(port)/link") { log.note($0) }
        try await eventually("the link has seen its events") { log.all == ["closed"] }
        try await silent.close()
    }

    @Test("A device and a follower meet the gateway over sockets")
    func gateway() async throws {
        let world = try World()
        let server = try await GatewayServer.start(world.gateway, authority: try GatewayAuthority(folder: nil))
        let device = LinkLog()
        let dialer = WebSocketDialer(group: group)
        let link = dialer.open(server.courierURL) { device.note($0) }
        try await eventually("the device link has seen its events") { device.all == ["opened"] }
        link.send(CourierFrame.hello(device: "phone", key: courierKey("phone")).text)
        link.send(CourierFrame.register(topic: bundleID, environment: .development).text)
        try await eventually("the device link has seen its events") { device.all.count == 2 }
        let frame = try CourierFrame(text: device.all[1])
        guard case .registered(bundleID, .development, let token) = frame else {
            Issue.record("\(frame)")
            return
        }
        let request = world.request(to: token)
        let connection = ProviderConnection(environment: .development)
        #expect(world.gateway.respond(to: request, on: connection).header("apns-id") != nil)
        try await eventually("the device link has seen its events") { device.all.count == 3 }
        let running = Task { try await server.run() }
        running.cancel()
        try await running.value
        try await eventually("the device link has seen its events") { device.all.last == "closed" }
    }
}

@Suite("WebSocket frames")
struct LinkFrameTests {
    private let log = LinkLog()

    private func channel(_ configuration: LinkConfiguration = LinkConfiguration()) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        _ = try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        return try opened(channel, configuration)
    }

    private func opened(_ channel: EmbeddedChannel, _ configuration: LinkConfiguration) throws -> EmbeddedChannel {
        let added = addLinkHandlers(to: channel, acceptor: log, configuration: configuration)
        channel.embeddedEventLoop.run()
        try added.wait()
        return channel
    }

    private func frame(
        _ opcode: WebSocketOpcode,
        _ text: String,
        fin: Bool = true,
        masked: Bool = true
    ) -> WebSocketFrame {
        WebSocketFrame(fin: fin, opcode: opcode, maskKey: masked ? [0, 0, 0, 0] : nil, data: ByteBuffer(string: text))
    }

    private func closeCode(_ channel: EmbeddedChannel) throws -> WebSocketErrorCode? {
        while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
            var data = frame.data
            if frame.opcode == .connectionClose { return data.readWebSocketErrorCode() }
        }
        return nil
    }

    @Test("Fragments become one message, with a ping between them answered")
    func fragments() throws {
        let channel = try channel()
        try channel.writeInbound(frame(.text, "Hel", fin: false))
        try channel.writeInbound(frame(.ping, "x"))
        try channel.writeInbound(frame(.continuation, "lo"))
        #expect(log.all == ["Hello"])
        #expect(try channel.readOutbound(as: WebSocketFrame.self)?.opcode == .pong)
        _ = try channel.finish()
        #expect(log.all == ["Hello", "closed"])
    }

    @Test("Frames without content are allowed at a rate, beyond which the link ends with 1008")
    func chatter() throws {
        let configuration = LinkConfiguration { $0.chatter = .init(burst: 10, perSecond: 2) }
        let kinds: [[WebSocketFrame]] = [
            [frame(.ping, "")], [frame(.pong, "x")], [frame(.text, "")],
            [frame(.text, "", fin: false), frame(.continuation, "x", fin: false)],
        ]
        for frames in kinds {
            let channel = try channel(configuration)
            var left = 10
            for frame in frames where frame.opcode == .text && !frame.fin {
                try channel.writeInbound(frame)
                left -= 1
            }
            let repeated = try #require(frames.last)
            for _ in 0..<left { try channel.writeInbound(repeated) }
            #expect(try closeCode(channel) == nil)
            try channel.writeInbound(repeated)
            #expect(try closeCode(channel) == .policyViolation, "\(repeated.opcode)")
            _ = try? channel.finish()
        }
    }

    @Test("Time, and each message with content, allow more frames without")
    func chatterEarned() throws {
        let channel = try channel(LinkConfiguration { $0.chatter = .init(burst: 10, perSecond: 2) })
        for _ in 0..<10 { try channel.writeInbound(frame(.ping, "")) }
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        for _ in 0..<10 { try channel.writeInbound(frame(.ping, "")) }
        try channel.writeInbound(frame(.text, "x"))
        for _ in 0..<8 { try channel.writeInbound(frame(.ping, "")) }
        #expect(try closeCode(channel) == nil)
        try channel.writeInbound(frame(.ping, ""))
        #expect(try closeCode(channel) == .policyViolation)
        _ = try? channel.finish()
    }

    @Test("After a read of many frames nothing is read for a while; after one that ends a link nothing at all")
    func pauses() throws {
        let channel = try channel(LinkConfiguration { $0.unauthenticatedTime = nil })
        let reads = ReadCounter()
        try channel.pipeline.syncOperations.addHandler(reads, position: .first)
        func receive(_ frames: Int, _ opcode: WebSocketOpcode = .text) {
            for _ in 0..<frames { channel.pipeline.fireChannelRead(frame(opcode, "x")) }
            channel.pipeline.fireChannelReadComplete()
            channel.pipeline.read()
        }
        receive(63)
        #expect(reads.count == 1)
        receive(64)
        #expect(reads.count == 1)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(5))
        #expect(reads.count == 2)
        receive(200)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(14))
        #expect(reads.count == 2)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(reads.count == 3)
        receive(2000, .pong)
        #expect(try closeCode(channel) == .policyViolation)
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        #expect(reads.count == 3)
        _ = try? channel.finish()
    }

    @Test("Binary frames are refused with 1003, a breach of the protocol with 1002, bad UTF-8 with 1007")
    func refuses() throws {
        let bad = WebSocketFrame(fin: true, opcode: .text, maskKey: [0, 0, 0, 0], data: ByteBuffer(bytes: [0xFF]))
        let cases: [(WebSocketFrame, WebSocketErrorCode)] = [
            (frame(.binary, "x"), .unacceptableData),
            (frame(.text, "x", masked: false), .protocolError),
            (frame(.continuation, "x"), .protocolError),
            (bad, .dataInconsistentWithMessage),
        ]
        for (frame, code) in cases {
            let channel = try channel()
            try channel.writeInbound(frame)
            #expect(try closeCode(channel) == code)
            _ = try channel.finish()
        }
    }

    @Test("A link that does not authenticate in time is closed, and one that does in the last moment is not")
    func authentication() throws {
        let configuration = LinkConfiguration { $0.unauthenticatedTime = .seconds(10) }
        let late = try channel(configuration)
        late.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(try closeCode(late) == .policyViolation)
        let early = EmbeddedChannel()
        _ = try early.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        // Runs before the limit of the same moment, which the loop has taken by then.
        early.embeddedEventLoop.scheduleTask(in: .seconds(10)) { [log] in log.connection?.admit() }
        _ = try opened(early, configuration)
        early.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(try closeCode(early) == nil)
    }

    @Test("An end may say itself that it lives, until it has said goodbye")
    func ping() throws {
        let channel = try channel()
        log.connection?.ping()
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: WebSocketFrame.self)?.opcode == .ping)
        log.connection?.close()
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: WebSocketFrame.self)?.opcode == .connectionClose)
        log.connection?.ping()
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: WebSocketFrame.self) == nil)
        _ = try? channel.finish()
    }

    @Test("A ping every 30 seconds; a link that is silent for 75 is closed")
    func heartbeat() throws {
        let channel = try channel()
        log.connection?.admit()
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(try channel.readOutbound(as: WebSocketFrame.self)?.opcode == .ping)
        try channel.writeInbound(frame(.pong, ""))
        channel.embeddedEventLoop.advanceTime(by: .seconds(74))
        #expect(log.all == [])
        channel.embeddedEventLoop.advanceTime(by: .seconds(16))
        #expect(log.all == ["closed"])
        _ = try? channel.finish()
    }
}

/// Counts the reads that reach the network.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = Any

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
