package import DeviceLink
package import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import NetworkSupport
import PushModel
import Synchronization

/// A plain HTTP/1.1 server with one purpose: it upgrades requests at known paths to links.
///
/// Any other request is answered with 404 and a JSON error; a request that is not admitted gets the reason. A
/// connection without a timely request, or beyond the limit, is closed.
package final class WebSocketListener: Sendable {
    private let channel: any Channel
    private let children: Children
    /// The port on which it listens: the one requested, or the one assigned for port 0.
    package let port: Int

    private init(channel: any Channel, children: Children, port: Int) {
        self.channel = channel
        self.children = children
        self.port = port
    }

    /// Starts to listen.
    ///
    /// Port 0 takes any free port. `acceptors` maps paths such as `/courier` to the acceptors of their links.
    /// `admission` defaults, on the loopback, to any program that uses a loopback name for this machine.
    ///
    /// - Throws: when the address cannot be bound.
    package static func start(
        host: String,
        port: Int,
        acceptors: [String: any LinkAcceptor],
        group: any EventLoopGroup,
        configuration: LinkConfiguration = LinkConfiguration(),
        admission: LinkAdmission? = nil
    ) async throws -> WebSocketListener {
        let children = Children(limit: configuration.connections)
        let routes = LinkRoutes(
            acceptors: acceptors,
            admission: admission ?? LinkAdmission(hosts: HostRule(listeningAt: host))
        )
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                guard children.add(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    let opened = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                        configuration: upgrade(channel, to: routes, children: children, configuration: configuration)
                    )
                    let deadline = channel.eventLoop.scheduleTask(in: configuration.openTimeout) {
                        channel.close(promise: nil)
                    }
                    opened.whenComplete { _ in deadline.cancel() }
                }
            }
            .bind(host: host, port: port)
            .get()
        return WebSocketListener(channel: channel, children: children, port: channel.localAddress?.port ?? port)
    }

    /// Stops listening and ends each open link with close code 1001.
    package func close() async {
        try? await channel.close()
        await children.close()
    }

    private static func upgrade(
        _ channel: any Channel,
        to routes: LinkRoutes,
        children: Children,
        configuration: LinkConfiguration
    ) -> NIOUpgradableHTTPServerPipelineConfiguration<Void> {
        let refusals = NIOLoopBound(RefusalHandler(routes), eventLoop: channel.eventLoop)
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            maxFrameSize: LinkConfiguration.messageBytes,
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    // NIO (2.101.2) loses the head of a request whose upgrade is declined: the reason is noted here.
                    refusals.value.refusal = routes.refusal(of: head)
                    return refusals.value.refusal == nil ? HTTPHeaders() : nil
                }
            },
            upgradePipelineHandler: { channel, head in
                guard let acceptor = routes.acceptor(of: head) else { return channel.close() }
                return addLinkHandlers(
                    to: channel,
                    acceptor: acceptor,
                    configuration: configuration,
                    peerNetwork: ProxyRule.none.network(of: channel.remoteAddress, forwarded: [])
                ) { link in
                    children.opened(link, on: channel)
                }
            }
        )
        return NIOUpgradableHTTPServerPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(refusals.value)
                    }
                }
            )
        )
    }
}

/// The paths at which links are opened, and their admission rules.
private struct LinkRoutes: Sendable {
    let acceptors: [String: any LinkAcceptor]
    let admission: LinkAdmission

    func acceptor(of head: HTTPRequestHead) -> (any LinkAcceptor)? {
        acceptors[String(head.uri.prefix { $0 != "?" })]
    }

    /// Returns nil for a request that opens a link, provided it is an upgrade.
    func refusal(of head: HTTPRequestHead) -> LinkAdmission.Refusal? {
        admission.refusal(of: head) ?? (acceptor(of: head) == nil ? notFound : nil)
    }

    var notFound: LinkAdmission.Refusal {
        let paths = acceptors.keys.sorted().joined(separator: ", ")
        return LinkAdmission.Refusal(
            status: .notFound,
            message: "This server only accepts WebSocket links; the paths are \(paths)."
        )
    }
}

/// The connections of a listener.
private final class Children: Sendable {
    private struct Child {
        var channel: any Channel
        var link: WebSocketLink?
    }

    private let limit: Int
    private let open = Mutex<[ObjectIdentifier: Child]>([:])

    init(limit: Int) { self.limit = limit }

    /// - Returns: false if the limit is reached.
    func add(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let hasRoom = open.withLock { open in
            guard open.count < limit else { return false }
            open[key] = Child(channel: channel)
            return true
        }
        guard hasRoom else { return false }
        channel.closeFuture.whenComplete { _ in self.open.withLock { _ = $0.removeValue(forKey: key) } }
        return true
    }

    func opened(_ link: WebSocketLink, on channel: any Channel) {
        open.withLock { $0[ObjectIdentifier(channel)]?.link = link }
    }

    func close() async {
        let children = open.withLock { Array($0.values) }
        for child in children {
            if let link = child.link {
                link.close(code: .goingAway)
            } else {
                child.channel.close(promise: nil)
            }
        }
        for child in children { try? await child.channel.closeFuture.get() }
    }
}

/// Answers requests that open no link with the reason, and closes the connection.
private final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let routes: LinkRoutes
    var refusal: LinkAdmission.Refusal?

    init(_ routes: LinkRoutes) { self.routes = routes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): refusal = routes.refusal(of: head) ?? routes.notFound
        case .body: break
        case .end: answer(refusal ?? routes.notFound, context)
        }
    }

    private func answer(_ refusal: LinkAdmission.Refusal, _ context: ChannelHandlerContext) {
        let body = JSONValue.object(["error": .string(refusal.message)]).text
        let headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": String(body.utf8.count), "connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(string: body)))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A refused upgrade is reported as an error first and then arrives as an ordinary request.
        if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
    }
}
