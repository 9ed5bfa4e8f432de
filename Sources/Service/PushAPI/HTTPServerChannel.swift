import DeviceLink
import DeviceLinkNIO
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket
import NetworkSupport

/// HTTP/1.1, plain or over TLS, with an upgrade to the SDK link for a WebSocket request at its path.
struct HTTPServerChannel: HTTPChannelHandler {
    enum Negotiated: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case link
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiated: EventLoopFuture<Negotiated>
    }

    let responder: HTTPChannelHandler.Responder
    let path: String
    let acceptor: any LinkAcceptor
    let admission: LinkAdmission
    let proxies: ProxyRule
    /// The time limit for the first request of a connection, including the TLS handshake.
    let firstRequestLimit: TimeAmount
    /// The time limit for receiving a request, from its first byte.
    let requestLimit: TimeAmount
    /// The time limit for the client to read a response.
    let responseLimit: TimeAmount
    let link: LinkConfiguration
    let connections: OpenConnections
    let tls: ServerTLS?
    let pushes: DirectPushes
    let batchers: DirectPushBatchers

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        // A closed channel has no remote address.
        let peer = channel.remoteAddress
        guard connections.enter(peer) else { return refuse(channel) }
        channel.closeFuture.whenComplete { [connections] _ in connections.leave(peer) }
        return channel.eventLoop.makeCompletedFuture {
            // A channel keeps its buffer: thousands of links read little. It grows for clients that send more.
            try channel.syncOptions?.setOption(.recvAllocator, value: Self.reading)
            try tls?.addHandler(to: channel)
            let end = EndOnQuiesceHandler()
            try channel.pipeline.syncOperations.addHandler(end)
            let endBox = NIOLoopBound(end, eventLoop: channel.eventLoop)
            let malformed = MalformedRequestHandler()
            let malformedBox = NIOLoopBound(malformed, eventLoop: channel.eventLoop)
            let targets = RawTargetHandler(messages: malformed)
            let targetsBox = NIOLoopBound(targets, eventLoop: channel.eventLoop)
            let requests = RequestDeadlineHandler(head: firstRequestLimit, whole: requestLimit, messages: malformed)
            let requestsBox = NIOLoopBound(requests, eventLoop: channel.eventLoop)
            let answers = ResponseDeadlineHandler(limit: responseLimit)
            let answersBox = NIOLoopBound(answers, eventLoop: channel.eventLoop)
            let upgrader = NIOTypedWebSocketServerUpgrader<Negotiated>(
                maxFrameSize: LinkConfiguration.messageBytes,
                // Requests that are not for the link have lost their upgrade header before this point.
                shouldUpgrade: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        // These handlers read HTTP only.
                        channel.pipeline.syncOperations.removeHandler(malformedBox.value, promise: nil)
                        channel.pipeline.syncOperations.removeHandler(targetsBox.value, promise: nil)
                        channel.pipeline.syncOperations.removeHandler(requestsBox.value, promise: nil)
                        channel.pipeline.syncOperations.removeHandler(answersBox.value, promise: nil)
                        return HTTPHeaders()
                    }
                },
                upgradePipelineHandler: { [acceptor, proxies, link] channel, head in
                    let forwarded = head.headers["x-forwarded-for"]
                    return addLinkHandlers(
                        to: channel,
                        acceptor: acceptor,
                        configuration: link,
                        peerNetwork: proxies.network(of: channel.remoteAddress, forwarded: forwarded)
                    ).map { .link }
                }
            )
            var configuration = NIOUpgradableHTTPServerPipelineConfiguration<Negotiated>(
                upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                    upgraders: [upgrader],
                    notUpgradingCompletionHandler: { [pushes, batchers, admission, isSecure = tls != nil] channel in
                        channel.eventLoop.makeCompletedFuture {
                            endBox.value.servesRequests = true
                            let batcher = batchers.batcher(on: channel.eventLoop)
                            let direct = DirectPushHandler(
                                pushes,
                                batcher: batcher,
                                hosts: admission.hosts,
                                malformed: malformedBox.value,
                                deadline: answersBox.value
                            )
                            return .http(
                                try Self.addHTTPHandlers(to: channel, direct, isSecure: isSecure, logger: logger)
                            )
                        }
                    }
                )
            )
            // The asynchronous channel itself keeps requests in order.
            configuration.enablePipelining = false
            // `MalformedRequestHandler` handles errors.
            configuration.enableErrorHandling = false
            // The parts of a response are already validated.
            configuration.enableResponseHeaderValidation = false
            let negotiated = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                configuration: configuration
            )
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(ForeignUpgradeFilter(path: path, admission: admission), position: .after(decoder))
            try pipeline.addHandler(malformed, position: .after(decoder))
            try pipeline.addHandler(answers, position: .after(decoder))
            try pipeline.addHandler(targets, position: .before(decoder))
            try pipeline.addHandler(requests, position: .before(targets))
            let deadline = channel.eventLoop.scheduleTask(in: firstRequestLimit) { channel.close(promise: nil) }
            negotiated.whenComplete { _ in deadline.cancel() }
            return Value(channel: channel, negotiated: negotiated)
        }
    }

    /// Closes a connection beyond the limit once it is active: a setup failure would end the server.
    private func refuse(_ channel: any Channel) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(CloseAtOnceHandler())
            let negotiated: EventLoopFuture<Negotiated> = channel.eventLoop.makeFailedFuture(TooManyConnections())
            return Value(channel: channel, negotiated: negotiated)
        }
    }

    private static let reading = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 1 << 16)

    private static func addHTTPHandlers(
        to channel: any Channel,
        _ direct: DirectPushHandler,
        isSecure: Bool,
        logger: Logger
    ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(readTimeout: DirectPushHandler.idle))
        try pipeline.addHandler(ContinueHandler())
        try pipeline.addHandler(direct)
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
        try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.negotiated.get() {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            // Channel handlers do all the work of a link. No task waits for its end: it would take more memory than the link.
            case .link: break
            }
        } catch {
            logger.debug("A connection ended before its first request", metadata: ["error": "\(error)"])
            value.channel.close(promise: nil)
        }
    }
}

private struct TooManyConnections: Error {}

private final class CloseAtOnceHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    func channelActive(context: ChannelHandlerContext) { context.close(promise: nil) }
}

/// Closes a connection on shutdown if it is not in the middle of a request: one without requests, or a link.
private final class EndOnQuiesceHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    var servesRequests = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, !servesRequests {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

/// Answers `Expect: 100-continue`, which libcurl sends before larger bodies; it waits a second for the response.
private final class ContinueHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.headers.contains(name: "expect"),
            head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" })
        {
            let answer = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
        }
        context.fireChannelRead(data)
    }
}

/// Removes the upgrade header from a connection's first request, unless it is an admitted request for the link.
///
/// libcurl offers HTTP/2 with every cleartext request. NIO's upgrade handler (swift-nio 2.101.2) loses the head of a request
/// whose upgrade is not accepted, and its decoder reads nothing after such a request: the connection ends with the response.
private final class ForeignUpgradeFilter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let path: String
    private let admission: LinkAdmission

    init(path: String, admission: LinkAdmission) {
        self.path = path
        self.admission = admission
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if head.headers.contains(name: "upgrade"), !asksForLink(head) {
            head.headers.remove(name: "upgrade")
            head.headers.replaceOrAdd(name: "connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func asksForLink(_ head: HTTPRequestHead) -> Bool {
        head.uri.split(separator: "?").first.map { $0 == path } ?? false
            && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
            && admission.refusal(of: head) == nil
    }
}
