import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NetworkSupport
package import PushClock
import PushModel
package import PushService
import Synchronization

/// Answers in place of the service while that reads its store: `GET /health` with 200, everything else with 503 and the progress.
///
/// So a large service is alive to whoever watches it, and tells how long its start takes.
package struct StartingServer: Sendable {
    /// The time that most starts take less than, for which no server is worth its while.
    package static let patience = Duration.milliseconds(500)
    /// The time until a connection is closed that has not sent a request.
    private static let limit = TimeAmount.seconds(10)
    /// The maximum number of open connections, which are few: they ask for progress.
    package static let connections = 100

    private let settings: PushAPI.Settings
    private let progress: ReadingProgress
    private let clock: any CivilClock

    package init(_ settings: PushAPI.Settings, _ progress: ReadingProgress, clock: any CivilClock) {
        self.settings = settings
        self.progress = progress
        self.clock = clock
    }

    /// Serves while `body` runs, if that takes long; the port is free when this returns.
    package func serve<Result: Sendable>(during body: () async throws -> Result) async throws -> Result {
        // Nobody knows a port that is still to be chosen.
        guard settings.port != 0 else { return try await body() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            // A port that is taken is the service's own problem.
            group.addTask { try? await serve() }
            defer { group.cancelAll() }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    private func serve() async throws {
        try await clock.sleep(for: Self.patience, tolerance: nil)
        let places = ConnectionPlaces(Self.connections)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [settings, progress] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard places.take() else { throw ChannelError.operationUnsupported }
                    channel.closeFuture.whenComplete { _ in places.leave() }
                    try settings.tls?.addHandler(to: channel)
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(StartingHandler(progress: progress))
                    let deadline = channel.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
                    channel.closeFuture.whenComplete { _ in deadline.cancel() }
                }
            }
            .bind(host: settings.host, port: settings.port).get()
        await withTaskCancellationHandler {
            try? await listener.closeFuture.get()
        } onCancel: {
            listener.close(promise: nil)
        }
    }
}

/// Counts open connections up to a limit.
private final class ConnectionPlaces: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    /// Takes a place; false if there is none.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func leave() { free.withLock { $0 += 1 } }
}

/// Answers one request, and closes the connection.
private final class StartingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let progress: ReadingProgress
    private var request: HTTPRequestHead?

    init(progress: ReadingProgress) { self.progress = progress }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        case .body: break
        case .end:
            guard let request else { return }
            self.request = nil
            answer(request, context)
        }
    }

    private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let path = request.uri.prefix { $0 != "?" }
        let isHealth = path == "/health"
        let json: JSONValue =
            switch path {
            case "/health": ["status": "ok"]
            case "/ready": ["status": "starting", "devices": ["read": .number(progress.read), "all": .number(all)]]
            default: JPushError(status: 503, code: 1000, message: sentence).json
            }
        let body = ByteBuffer(bytes: json.bytes)
        var head = HTTPResponseHead(version: .http1_1, status: isHealth ? .ok : .serviceUnavailable)
        head.headers.add(name: "content-type", value: "application/json")
        head.headers.add(name: "content-length", value: "\(body.readableBytes)")
        head.headers.add(name: "connection", value: "close")
        if !isHealth { head.headers.add(name: "retry-after", value: "1") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    /// More devices may be read than were counted at first.
    private var all: Int { max(progress.read, progress.all) }

    private var sentence: String {
        "The service is starting: it has read \(progress.read) of about \(all) devices. Try again in a few seconds."
    }
}
