package import DeviceLink
package import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A plain HTTP/1.1 server that does one thing: it upgrades requests at known paths to links.
///
/// Any other request is answered with 404 and a JSON sentence.
package final class WebSocketListener: Sendable {
    private let channel: any Channel
    private let children: Children
    /// The port on which it listens: the one asked for, or the one found for port 0.
    package let port: Int

    private init(channel: any Channel, children: Children, port: Int) {
        self.channel = channel
        self.children = children
        self.port = port
    }

    /// Starts to listen.
    ///
    /// Of the parameters:
    /// * `port`: 0 takes any free one.
    /// * `acceptors`: who answers at which path, such as `/courier`.
    /// - Throws: when the address cannot be bound.
    package static func start(
        host: String,
        port: Int,
        acceptors: [String: any LinkAcceptor],
        group: any EventLoopGroup,
        configuration: LinkConfiguration = LinkConfiguration()
    ) async throws -> WebSocketListener {
        let children = Children()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    children.add(channel)
                    _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                        configuration: upgrade(to: acceptors, children, configuration)
                    )
                }
            }
            .bind(host: host, port: port)
            .get()
        return WebSocketListener(channel: channel, children: children, port: channel.localAddress?.port ?? port)
    }

    /// Stops listening and says goodbye (close code 1001) on each open link.
    package func close() async {
        try? await channel.close()
        await children.close()
    }

    private static func upgrade(
        to acceptors: [String: any LinkAcceptor],
        _ children: Children,
        _ configuration: LinkConfiguration
    ) -> NIOUpgradableHTTPServerPipelineConfiguration<Void> {
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            maxFrameSize: LinkConfiguration.messageBytes,
            shouldUpgrade: { channel, head in
                let isKnown = acceptors[path(of: head)] != nil
                return channel.eventLoop.makeSucceededFuture(isKnown ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                guard let acceptor = acceptors[path(of: head)] else { return channel.close() }
                return addLinkHandlers(to: channel, acceptor: acceptor, configuration: configuration) { link in
                    children.opened(link, on: channel)
                }
            }
        )
        return NIOUpgradableHTTPServerPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NotFoundHandler(paths: acceptors.keys.sorted()))
                    }
                }
            )
        )
    }

    private static func path(of head: HTTPRequestHead) -> String {
        String(head.uri.prefix { $0 != "?" })
    }
}

/// The connections of a listener.
private final class Children: Sendable {
    private struct Child {
        var channel: any Channel
        var link: WebSocketLink?
    }

    private let open = Mutex<[ObjectIdentifier: Child]>([:])

    func add(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        open.withLock { $0[key] = Child(channel: channel) }
        channel.closeFuture.whenComplete { _ in self.open.withLock { _ = $0.removeValue(forKey: key) } }
    }

    func opened(_ link: WebSocketLink, on channel: any Channel) {
        open.withLock { $0[ObjectIdentifier(channel)]?.link = link }
    }

    func close() async {
        let children = open.withLock { Array($0.values) }
        for child in children {
            if let link = child.link { link.close(code: .goingAway) } else { child.channel.close(promise: nil) }
        }
        for child in children { try? await child.channel.closeFuture.get() }
    }
}

/// Answers what is not an upgrade to a link.
private final class NotFoundHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let body: String

    init(paths: [String]) {
        let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
        body = #"{"error":"Nothing is here but WebSocket links.","paths":["# + list + "]}"
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": String(body.utf8.count), "connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(string: body)))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A refused upgrade is told as an error first and arrives as an ordinary request then.
        if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
    }
}
