import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Files on a free port of the loopback, over HTTP or HTTPS, for an app to download.
final class FileServer: Sendable {
    struct File: Sendable {
        var type: String
        var body: [UInt8]
        var tag: String?
    }

    private struct State {
        var files: [String: File] = [:]
        var requests: [String] = []
    }

    private let state = Mutex(State())
    private let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    private let channel: Mutex<(any Channel)?> = Mutex(nil)
    private let tls: NIOSSLContext?

    private init(_ tls: NIOSSLContext?) { self.tls = tls }

    /// Serves while `body` runs.
    @MainActor
    static func run<Result: Sendable>(
        tls: NIOSSLContext? = nil,
        _ body: @MainActor (FileServer) async throws -> Result
    ) async throws -> Result {
        let server = FileServer(tls)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(FileHandler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channel.withLock { $0 = channel }
        do {
            let result = try await body(server)
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// The address of a file. Those under `/silence` never come, those under `/endless` never end, those under `/moved` are
    /// without that, and `/away/` leads to the URL that follows; others that were not set are not found.
    func url(_ path: String) -> String {
        let host = tls == nil ? "http://127.0.0.1" : "https://localhost"
        return "\(host):\(channel.withLock { $0?.localAddress?.port } ?? 0)\(path)"
    }

    func set(_ path: String, _ body: some Sequence<UInt8>, type: String = "text/plain", tag: String? = nil) {
        state.withLock { $0.files[path] = File(type: type, body: Array(body), tag: tag) }
    }

    /// The requests: method, path and, if the client knows one, the tag.
    var requests: [String] { state.withLock(\.requests) }

    /// Returns when something is asked for, or the test is cancelled by its time limit; once for each request.
    func request() async {
        var arrivals = arrivals.makeAsyncIterator()
        await arrivals.next()
    }

    fileprivate func answer(to head: HTTPRequestHead) -> (status: HTTPResponseStatus, file: File?)? {
        defer { arrival.yield() }
        return state.withLock { state in
            let tag = head.headers.first(name: "If-None-Match")
            state.requests.append(
                (["\(head.method.rawValue) \(head.uri)"] + [tag].compactMap { $0 }).joined(separator: " ")
            )
            if head.uri.hasPrefix("/silence") { return nil }
            if head.uri.hasPrefix("/moved/") || head.uri.hasPrefix("/away/") { return (.found, nil) }
            guard let file = state.files[head.uri] else { return (.notFound, nil) }
            return tag != nil && tag == file.tag ? (.notModified, nil) : (.ok, file)
        }
    }
}

private final class FileHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: FileServer

    init(_ server: FileServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), let (status, file) = server.answer(to: head) else { return }
        if head.uri.hasPrefix("/endless") { return stream(to: context) }
        var headers: HTTPHeaders = ["Content-Length": "\(file?.body.count ?? 0)", "Connection": "close"]
        if let file { headers.add(name: "Content-Type", value: file.type) }
        if status == .found { headers.add(name: "Location", value: Self.place(head.uri)) }
        if let tag = file?.tag { headers.add(name: "ETag", value: tag) }
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil
        )
        if let file {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: file.body)))), promise: nil)
        }
        // Closing drops what was not written yet.
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    private static func place(_ uri: String) -> String {
        let away = "/away/"
        return String(uri.hasPrefix(away) ? uri.dropFirst(away.count) : uri.dropFirst("/moved".count))
    }

    /// Sends without saying how much, until nobody reads any more.
    private func stream(to context: ChannelHandlerContext) {
        context.write(
            wrapOutboundOut(
                .head(HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Type": "image/png"]))
            ),
            promise: nil
        )
        let channel = context.channel
        @Sendable func more() {
            channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(repeating: 0, count: 1 << 20))))
                .whenSuccess { more() }
        }
        more()
    }
}
