import AppleDeveloper
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NetworkSupport
import PosthornStack
import PushService
import Testing

/// Over real sockets; the addresses are those of this machine.
@Suite("What callbacks may reach", .timeLimit(.minutes(5)))
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
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
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

    @Test(
        "An answer that is not HTTP is a failure that says what was found",
        arguments: [
            ("SSH-2.0-server\r\n", "'HTTP/1.1' is not where it must be"),
            ("HTTP/1.1 2x0 OK\r\n\r\n", "status"), ("HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", "header"),
        ]
    )
    func notHTTP(_ answer: String, _ words: String) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FixedAnswer(text: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        let error = await #expect(throws: CallbackFailure.self) {
            try await CallbackClient(networks: Self.local).post([], fields: [], to: "http://127.0.0.1:\(port)/hook")
        }
        let description = error?.description ?? ""
        #expect(description.contains("not HTTP/1.1: ") && description.contains(words), "\(description)")
        #expect(error?.isFinal == false && !description.contains("NIO"))
        try await channel.close()
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

/// Answers anything with the same text.
private final class FixedAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String

    init(text: String) { self.text = text }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
}
