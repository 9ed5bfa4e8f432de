package import NIOCore

/// Opens a tunnel through a proxy, as the first handler of a connection to the proxy's address.
///
/// The connection counts as open, for whoever connects and for the other handlers, when the proxy has opened the tunnel. Then this handler
/// removes itself.
package final class HTTPProxyTunnel: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The maximum size of the heads of the proxy's answers, in bytes.
    private static let mostBytes = 16_384

    private let proxy: HTTPProxy
    private let request: String
    private var opened: EventLoopPromise<Void>?
    private var isOpen = false
    /// The part of the answer that has come, without the heads that were read.
    private var answer: [UInt8] = []
    /// The number of bytes that have come.
    private var count = 0

    /// Creates the handler for a tunnel to a server, whose name the proxy resolves.
    ///
    /// - Throws: if the host is neither a name nor an address.
    package init(through proxy: HTTPProxy, to host: String, port: Int) throws(HTTPProxy.Failure) {
        self.proxy = proxy
        request = try proxy.request(for: host, port)
    }

    package func connect(
        context: ChannelHandlerContext,
        to address: SocketAddress,
        promise: EventLoopPromise<Void>?
    ) {
        opened = promise
        let connected = context.eventLoop.makePromise(of: Void.self)
        connected.futureResult.cascadeFailure(to: promise)
        context.connect(to: address, promise: connected)
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else { return context.fireChannelRead(data) }
        let bytes = unwrapInboundIn(data).readableBytesView
        answer += bytes
        count += bytes.count
        // RFC 9110, section 15.2: any number of interim answers may come before the final one.
        while true {
            guard let head = ProxyAnswer.takeHead(of: &answer) else {
                if count > Self.mostBytes { fail("sent no HTTP answer", context) }
                return
            }
            guard let head = ProxyAnswer(head) else { return fail("sent no HTTP answer", context) }
            guard !head.isInterim else { continue }
            guard head.isSuccess else { return fail(head.refusal, status: head.status, context) }
            return open(context)
        }
    }

    private func open(_ context: ChannelHandlerContext) {
        isOpen = true
        opened?.succeed()
        context.fireChannelActive()
        if !answer.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: answer))) }
        _ = context.pipeline.syncOperations.removeHandler(self)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        guard !isOpen else { return context.fireChannelInactive() }
        fail("closed the connection without an answer", context)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOpen else { return context.fireErrorCaught(error) }
        fail("cannot be used: \(NetworkWords.reason(of: error))", context)
    }

    private func fail(_ problem: String, status: Int? = nil, _ context: ChannelHandlerContext) {
        // Closing the channel comes back as its end.
        guard let opened else { return }
        self.opened = nil
        opened.fail(HTTPProxy.Failure(status: status, description: "The proxy \(proxy.address) \(problem)."))
        context.close(promise: nil)
    }
}
