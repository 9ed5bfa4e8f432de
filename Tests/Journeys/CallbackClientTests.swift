import AppleDeveloper
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NetworkSupport
import PosthornStack
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

/// Over real sockets; the addresses are those of this machine.
@Suite("Addresses that callbacks may reach", .suiteLimit)
@MainActor
struct CallbackClientTests {
    private static let local = ["127.0.0.0/8", "::1"].compactMap { IPRange($0) }

    @Test("Nothing of the machine is called, by whatever name, unless the operator allows its network")
    func guarded() async throws {
        try await FileServer.run { server in
            server.set("/hook", Data("{}".utf8))
            let url = server.url("/hook")
            // A name is looked at where it leads.
            for host in ["127.0.0.1", "localhost", "0.0.0.0", "127.1", "[::1]", "[::ffff:127.0.0.1]"] {
                let error = await #expect(throws: CallbackFailure.self) {
                    try await CallbackClient().post([], fields: [], to: url.replacing("127.0.0.1", with: host))
                }
                #expect(error?.isFinal == true, "\(host): \(error?.description ?? "")")
                #expect(error?.description.contains("not a public address") == true)
                #expect(error?.description.contains("callback.networks") == true)
            }
            for address in ["10.0.0.1", "169.254.169.254", "192.168.0.1", "[fd00:ec2::254]", "[fe80::1]"] {
                let error = await #expect(throws: CallbackFailure.self) {
                    try await CallbackClient(networks: Self.local).post([], fields: [], to: "http://\(address)/")
                }
                #expect(error?.isFinal == true, "\(address): \(error?.description ?? "")")
            }
            #expect(server.requests.isEmpty)
            try await CallbackClient(networks: Self.local).post(Array("{}".utf8), fields: [("X-A", "b")], to: url)
            #expect(server.requests == ["POST /hook"])
        }
    }

    @Test("A redirect is not followed, an error is a failure to repeat, and an endless answer is not read")
    func answers() async throws {
        try await FileServer.run { server in
            let client = CallbackClient(networks: Self.local)
            let moved = await #expect(throws: CallbackFailure.self) {
                try await client.post([], fields: [], to: server.url("/moved/hook"))
            }
            #expect(moved == CallbackFailure("It answered 302, a redirect, which is not followed."))
            let missing = await #expect(throws: CallbackFailure.self) {
                try await client.post([], fields: [], to: server.url("/nothing"))
            }
            #expect(missing == CallbackFailure("It answered 404."))
            server.set("/endless", Data())
            try await client.post([], fields: [], to: server.url("/endless"))
            #expect(server.requests == ["POST /moved/hook", "POST /nothing", "POST /endless"])
        }
    }

    @Test("A receiver with HTTPS is called if its certificate is trusted, and otherwise hears nothing")
    func https() async throws {
        try await withTemporaryFolder { folder in
            let authority = try GatewayAuthority(folder: folder.path)
            let trusted = try #require(authority.path)
            let context = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: authority.chain.map { .certificate($0) },
                    privateKey: .privateKey(authority.key)
                )
            )
            try await FileServer.run(tls: context) { server in
                server.set("/hook", Data())
                let url = server.url("/hook")
                #expect(url.hasPrefix("https://localhost:"))
                let client = CallbackClient(networks: Self.local, authorities: trusted)
                try await client.post(Array("{}".utf8), fields: [], to: url)
                #expect(server.requests == ["POST /hook"])
                // The system's authorities do not know it.
                let error = await #expect(throws: CallbackFailure.self) {
                    try await CallbackClient(networks: Self.local).post([], fields: [], to: url)
                }
                #expect(error?.isFinal == false, "\(error?.description ?? "")")
                let guarded = await #expect(throws: CallbackFailure.self) {
                    try await CallbackClient(authorities: trusted).post([], fields: [], to: url)
                }
                #expect(guarded?.isFinal == true)
                #expect(server.requests == ["POST /hook"])
            }
        }
    }

    @Test("A proxy opens a tunnel for its user, and its refusal is the failure")
    func proxies() async throws {
        let port = try await Self.fixed("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
        let proxy = try #require(HTTPProxy("http://user:p%40ss@127.0.0.1:\(port)/"))
        #expect(proxy.address == "127.0.0.1:\(port)")
        let client = CallbackClient(proxy: proxy)
        let refused = await #expect(throws: CallbackFailure.self) {
            try await client.post([], fields: [], to: "https://receiver.example.com/hook")
        }
        #expect(refused == CallbackFailure("The proxy 127.0.0.1:\(port) answered 407."))
        for host in [
            "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "[::1]", "10.0.0.1", "0X7F000001",
            "0177.0.0.1", "LOCALHOST", "localhost.", "127.0.0.1%00", "%31%32%37.0.0.1", "a.localhost", "0xA.1",
            "127.0.0.1.", "[::ffff:127.0.0.1]",
        ] {
            let guarded = await #expect(throws: CallbackFailure.self) {
                try await client.post([], fields: [], to: "http://\(host)/")
            }
            #expect(guarded?.isFinal == true, "\(host): \(guarded?.description ?? "")")
        }
        // The bytes after the proxy's answer are the receiver's.
        let open = try await Self.fixed("HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n")
        let tunnel = try #require(HTTPProxy("http://127.0.0.1:\(open)"))
        try await CallbackClient(proxy: tunnel).post([], fields: [], to: "http://receiver.example.com/hook")
        for text in ["https://127.0.0.1:1", "http://127.0.0.1", "127.0.0.1", "http://h:1/path", "http://h:70000", ""] {
            #expect(HTTPProxy(text) == nil, "\(text)")
        }
    }

    @Test(
        "A proxy's address may lack http:// and have blanks and line ends around it, as in variables of other tools",
        arguments: [
            "127.0.0.1:3128", "http://127.0.0.1:3128\n", "http://127.0.0.1:3128/\r\n", " user:p%40ss@127.0.0.1:3128 ",
        ]
    )
    func proxyAddress(_ text: String) { #expect(HTTPProxy(text)?.address == "127.0.0.1:3128") }

    @Test(
        "A tunnel opens whatever the proxy's line ends are, and after interim answers",
        arguments: [
            "HTTP/1.0 200 Connection established\n\n", "HTTP/1.0 200 Connection established\nServer: a\n\n",
            "HTTP/1.1 200 OK\r\nServer: a\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 100 Continue\n\nHTTP/1.1 102\n\nHTTP/1.1 200\n\n",
        ]
    )
    func tunnels(_ answer: String) async throws {
        let port = try await Self.fixed(answer, "HTTP/1.1 204 No Content\r\n\r\n")
        let proxy = try #require(HTTPProxy("http://127.0.0.1:\(port)"))
        try await CallbackClient(proxy: proxy).post([], fields: [], to: "http://receiver.example.com/hook")
    }

    @Test(
        "A refusal has the proxy's reason, and the ways of authentication that it takes",
        arguments: [
            ("403 Forbidden", "403 Forbidden"), ("503", "503"), ("403 a\u{1B}[31m", "403 a\\u{1B}[31m"),
            ("101 Switching Protocols", "101 Switching Protocols"),
            ("407 No\r\nProxy-Authenticate: NTLM", "407 and asks for NTLM; only Basic is supported here"),
            (
                "407 No\nproxy-authenticate: Negotiate\nProxy-Authenticate: Digest realm=\"a, b\", nonce=\"c\"",
                "407 and asks for Negotiate, Digest; only Basic is supported here"
            ),
            (
                "407 No\r\nProxy-Authenticate: NTLM, basic realm=\"a\"",
                "407 and asks for NTLM, basic; give a user and a password that it accepts"
            ),
        ]
    )
    func refusal(_ head: String, _ words: String) async throws {
        let port = try await Self.fixed("HTTP/1.1 \(head)\r\n\r\n")
        let proxy = try #require(HTTPProxy("http://127.0.0.1:\(port)"))
        let refused = await #expect(throws: CallbackFailure.self) {
            try await CallbackClient(proxy: proxy).post([], fields: [], to: "http://receiver.example.com/hook")
        }
        #expect(refused == CallbackFailure("The proxy 127.0.0.1:\(port) answered \(words)."))
    }

    @Test("An answer of a proxy that never ends is given up")
    func endlessHead() async throws {
        let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 700)
        let port = try await Self.fixed(hints)
        let proxy = try #require(HTTPProxy("http://127.0.0.1:\(port)"))
        let refused = await #expect(throws: CallbackFailure.self) {
            try await CallbackClient(proxy: proxy).post([], fields: [], to: "http://receiver.example.com/hook")
        }
        #expect(refused == CallbackFailure("The proxy 127.0.0.1:\(port) sent no HTTP answer."))
    }

    @Test("No host of a callback writes lines into the request to the proxy")
    func tunnelLines() async throws {
        let proxy = try #require(HTTPProxy("http://127.0.0.1:\(try await Self.fixed("HTTP/1.1 200 OK\r\n\r\n"))"))
        let client = CallbackClient(networks: Self.local, proxy: proxy)
        for host in [
            "a%3a80%20HTTP%2f1.1%0d%0aX", "a%3a80%20HTTP%2f1.1%0d%0a%0d%0aGET%20%2f%20HTTP%2f1.1%0d%0a%0d%0a",
            "a%0d%0ab",
        ] {
            let refused = await #expect(throws: CallbackFailure.self) {
                try await client.post([], fields: [], to: "http://\(host)/hook")
            }
            // Refused for its host: a proxy that had been asked would have answered.
            #expect(refused == CallbackFailure("It is not a URL with a host.", isFinal: true), "\(host)")
        }
        for host in ["a:80 HTTP/1.1\r\nX", "a%0d%0a", ""] {
            #expect(throws: HTTPProxy.Failure.self) { try HTTPProxyTunnel(through: proxy, to: host, port: 80) }
        }
        #expect(throws: Never.self) { try HTTPProxyTunnel(through: proxy, to: "::1", port: 80) }
    }

    /// Starts a server that answers the first bytes of a connection with the first text, the next ones with the second; returns its port.
    /// It ends with the process.
    private static func fixed(_ answers: String...) async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FixedAnswer(answers))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return try #require(channel.localAddress?.port)
    }

    @Test(
        "An answer that is not HTTP is a failure that says what was found",
        arguments: [
            ("SSH-2.0-server\r\n", "'HTTP/1.1' is not where it must be"),
            ("HTTP/1.1 2x0 OK\r\n\r\n", "status"), ("HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", "header"),
        ]
    )
    func notHTTP(_ answer: String, _ words: String) async throws {
        let port = try await Self.fixed(answer)
        let error = await #expect(throws: CallbackFailure.self) {
            try await CallbackClient(networks: Self.local).post([], fields: [], to: "http://127.0.0.1:\(port)/hook")
        }
        let description = error?.description ?? ""
        #expect(description.contains("not HTTP/1.1: ") && description.contains(words), "\(description)")
        #expect(error?.isFinal == false && !description.contains("NIO"))
    }

    @Test("A connection is used again, unless the server closes it or its answer is long")
    func connections() async throws {
        let client = CallbackClient(networks: Self.local)
        try await KeepAliveServer.run { server in
            for _ in 0..<20 { try await client.post(Array("{}".utf8), fields: [], to: server.url("/hook")) }
            #expect(server.counts == .init(connections: 1, requests: 20))
            // The address of another connection is checked again.
            let guarded = await #expect(throws: CallbackFailure.self) {
                try await CallbackClient().post([], fields: [], to: server.url("/hook"))
            }
            #expect(guarded?.isFinal == true)
            // A server that says nothing and closes: each request comes, on a new connection where needed.
            for _ in 0..<5 { try await client.post(Array("{}".utf8), fields: [], to: server.url("/closing")) }
            #expect(server.counts.requests == 25)
            let before = server.counts.connections
            for _ in 0..<3 { try await client.post(Array("{}".utf8), fields: [], to: server.url("/long")) }
            #expect(server.counts.connections >= before + 2)
        }
    }

    @Test("Requests at the same time have connections of their own, which are kept")
    func concurrentConnections() async throws {
        let client = CallbackClient(networks: Self.local)
        try await KeepAliveServer.run { server in
            for _ in 0..<5 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask { try await client.post([], fields: [], to: server.url("/hook")) }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(server.counts.requests == 20)
            #expect(server.counts.connections <= 4)
        }
    }

    @Test("Nobody at the address is a failure to repeat")
    func nobody() async throws {
        let url = try await FileServer.run { $0.url("/hook") }
        let error = await #expect(throws: CallbackFailure.self) {
            try await CallbackClient(networks: Self.local).post([], fields: [], to: url)
        }
        #expect(error?.isFinal == false)
    }
}

/// Answers with its texts in turn, the last one again and again.
private final class FixedAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: texts[0])), promise: nil)
        if texts.count > 1 { texts.removeFirst() }
    }
}

/// A server that keeps its connections open, and counts them and their requests. To `/closing` it answers and closes; its answers to
/// `/long` are long.
private final class KeepAliveServer: Sendable {
    struct Counts: Hashable {
        var connections = 0
        var requests = 0
    }

    private let state = Mutex(Counts())
    private let port = Mutex(0)

    var counts: Counts { state.withLock(\.self) }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port.withLock(\.self))\(path)" }

    @MainActor
    static func run(_ body: @MainActor (KeepAliveServer) async throws -> Void) async throws {
        let server = KeepAliveServer()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                server.state.withLock { $0.connections += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.port.withLock { $0 = channel.localAddress?.port ?? 0 }
        do { try await body(server) } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: KeepAliveServer
        private var path = ""

        init(_ server: KeepAliveServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): path = head.uri
            case .body: break
            case .end:
                server.state.withLock { $0.requests += 1 }
                let body = ByteBuffer(repeating: 0x20, count: path == "/long" ? 1 << 20 : 2)
                let head = HTTPResponseHead(
                    version: .http1_1,
                    status: .ok,
                    headers: ["Content-Length": "\(body.readableBytes)"]
                )
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
                let channel = context.channel
                let closes = path == "/closing"
                context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
                    if closes { channel.close(promise: nil) }
                }
            }
        }
    }
}
