import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

@testable import APNSTransport

/// The data received over a TLS connection, and the tasks that wait for more.
final class PeerLog: Sendable {
    private struct State {
        var rest: [UInt8] = []
        var frames: [WireFrame] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init() {
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var frames: [WireFrame] { state.withLock(\.frames) }
    var isClosed: Bool { state.withLock(\.isClosed) }
    var goAway: WireFrame? { frames.first { $0.isGoAway } }

    /// The frames that are complete with these octets.
    @discardableResult
    func add(_ bytes: [UInt8]) -> [WireFrame] {
        let new = state.withLock { state in
            state.rest += bytes
            if state.rest.starts(with: WireFrame.preface) { state.rest.removeFirst(WireFrame.preface.count) }
            let new = WireFrame.take(from: &state.rest)
            state.frames += new
            return new
        }
        change.yield()
        return new
    }

    func close() {
        state.withLock { $0.isClosed = true }
        change.yield()
    }

    /// Waits until `condition` holds or the connection is closed; the test's time limit ends a wait in vain. One at a
    /// time.
    func wait(_ condition: ([WireFrame]) -> Bool) async {
        if isClosed || condition(frames) { return }
        for await _ in changes where isClosed || condition(frames) { return }
    }

    func waitUntilClosed() async { await wait { _ in false } }
}

/// A TLS connection that sends any octets and reads frames.
final class RawClient: Sendable {
    private let channel: any Channel
    let log: PeerLog

    private init(channel: any Channel, log: PeerLog) {
        self.channel = channel
        self.log = log
    }

    /// Connects and, with `isGreeting`, sends preface and SETTINGS at once.
    ///
    /// Without `isReading` it reads nothing. With `ciphers` it offers those of TLS 1.2, and nothing later.
    static func connect(
        port: Int,
        isGreeting: Bool = true,
        isReading: Bool = true,
        hasTLS: Bool = true,
        ciphers: [NIOTLSCipher]? = nil
    ) async throws -> RawClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try TestIdentity.certificate()])
        tls.applicationProtocols = ["h2"]
        if let ciphers {
            tls.maximumTLSVersion = .tlsv12
            tls.cipherSuiteValues = ciphers
        }
        let context = try NIOSSLContext(configuration: tls)
        let log = PeerLog()
        // From the event loop, so that a test that has to wait for its turn is not taken for a stalling peer.
        let greeting = isGreeting ? WireFrame.preface + WireFrame.settings().bytes : []
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if hasTLS {
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    }
                    try pipeline.addHandler(Collector(log: log, greeting: greeting) { _, _ in })
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        let client = RawClient(channel: channel, log: log)
        if !isReading {
            // The handshake still has to be read.
            await log.wait { !$0.isEmpty }
            try await channel.setOption(.autoRead, value: false).get()
        }
        return client
    }

    func send(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
    func send(_ frames: WireFrame...) { send(frames) }
    func send(_ frames: [WireFrame]) { send(frames.flatMap(\.bytes)) }

    /// Sends, and returns when it has left for the other side.
    func push(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

    /// Sends a frame again and again until the connection ends.
    func `repeat`(_ frame: WireFrame, every interval: TimeAmount) {
        let task = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: interval) { [channel] _ in
            channel.writeAndFlush(ByteBuffer(bytes: frame.bytes), promise: nil)
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }

    /// Waits until all that was sent before is worked off, or the other side has had enough.
    func settle(_ probe: [UInt8] = Array("settled?".utf8)) async {
        send(.ping(probe))
        await log.wait { frames in frames.contains { $0.isGoAway || $0 == .ping(probe, ack: true) } }
    }

    /// The code of the GOAWAY that ends this connection.
    func ending() async -> UInt32? {
        await log.wait { frames in frames.contains { $0.isGoAway } }
        return log.goAway?.errorCode
    }

    func close() async { try? await channel.close() }
}

/// A TLS server that answers requests with whatever octets a test likes.
final class RawServer: Sendable {
    private let channel: any Channel
    var port: Int { channel.localAddress?.port ?? 0 }
    /// The data that the one client has sent.
    let log: PeerLog

    private init(channel: any Channel, log: PeerLog) {
        self.channel = channel
        self.log = log
    }

    /// Starts a server that sends `greeting` on each new connection, and answers each frame with the bytes that `react` returns.
    static func start(
        greeting: [WireFrame] = [.settings()],
        react: @escaping @Sendable (WireFrame) -> [UInt8]
    ) async throws -> RawServer {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try TestIdentity.certificate())],
            privateKey: .privateKey(try TestIdentity.key())
        )
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let log = PeerLog()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let collector = Collector(log: log, greeting: greeting.flatMap(\.bytes)) { frames, context in
                        let answer = frames.flatMap(react)
                        guard !answer.isEmpty else { return }
                        context.writeAndFlush(NIOAny(ByteBuffer(bytes: answer)), promise: nil)
                    }
                    try channel.pipeline.syncOperations.addHandlers([NIOSSLServerHandler(context: context), collector])
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return RawServer(channel: channel, log: log)
    }

    func stop() async { try? await channel.close() }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: PeerLog
    private let greeting: [UInt8]
    private let read: ([WireFrame], ChannelHandlerContext) -> Void

    init(log: PeerLog, greeting: [UInt8] = [], read: @escaping ([WireFrame], ChannelHandlerContext) -> Void) {
        self.log = log
        self.greeting = greeting
        self.read = read
    }

    func channelActive(context: ChannelHandlerContext) {
        if !greeting.isEmpty { context.writeAndFlush(NIOAny(ByteBuffer(bytes: greeting)), promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        read(log.add(Array(unwrapInboundIn(data).readableBytesView)), context)
    }

    func channelInactive(context: ChannelHandlerContext) { log.close() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Answers by path: `/later` never, `/body` with 400 and ten octets, `/large` with 100 000, `/echo` with the request's own
/// body, anything else with 200.
struct EchoExchange: APNSRequestHandler {
    func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
        switch request.text(of: .path) {
        case "/later": return false
        case "/body": answer = HTTP2Answer(status: 400, body: Array("0123456789".utf8))
        case "/large": answer = HTTP2Answer(status: 400, body: Array(repeating: 0x61, count: 100_000))
        case "/echo": answer = HTTP2Answer(status: 400, body: request.body)
        default: break
        }
        return true
    }

    func closed() {}
}

/// Runs a test against a server of its own.
func withServer(
    _ configuration: APNSServer.Configuration = .patient,
    _ body: (_ port: Int) async throws -> Void
) async throws {
    let server = try await startServer(configuration)
    do {
        try await body(server.port)
    } catch {
        await server.shutDown()
        throw error
    }
    await server.shutDown()
}

func startServer(
    _ configuration: APNSServer.Configuration = .patient,
    accept: @escaping @Sendable (APNSServerConnection) -> any APNSRequestHandler = { _ in EchoExchange() }
) async throws -> APNSServer {
    try await APNSServer.start(
        host: "127.0.0.1",
        port: 0,
        certificates: [try TestIdentity.certificate()],
        key: try TestIdentity.key(),
        group: MultiThreadedEventLoopGroup.singleton,
        configuration: configuration,
        accept: accept
    )
}

extension APNSServer.Configuration {
    /// For tests in which nobody stalls but the machine.
    static var patient: Self {
        var configuration = Self()
        configuration.stallLimit = .minutes(10)
        return configuration
    }
}
