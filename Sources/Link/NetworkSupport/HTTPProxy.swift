import Foundation
package import NIOCore
import PushModel

/// A proxy that opens tunnels with HTTP CONNECT.
///
/// Source: RFC 9110, section 9.3.6.
package struct HTTPProxy: Hashable, Sendable {
    /// The form that ``init(_:)`` reads.
    package static let form = "http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT"

    /// The error if the proxy opens no tunnel.
    package struct Failure: LocalizedError, CustomStringConvertible, Hashable {
        /// The status of the proxy's answer; nil if it gave none.
        package var status: Int?
        package var description: String
        package var errorDescription: String? { description }
    }

    package let host: String
    package let port: Int
    /// The value of `Proxy-Authorization`; nil without credentials.
    private let authorization: String?

    /// Reads a URL of the ``form``, in which special characters of user and password are percent-encoded; nil for any other text.
    ///
    /// As in the variables of other tools, `http://` may be missing, and blanks and line ends around the URL do not count.
    package init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let url = URLComponents(string: text.contains("://") ? text : "http://" + text),
            url.scheme?.lowercased() == "http",
            let host = url.encodedHost.flatMap({ URLHost($0) }),
            let port = url.port, (1...65_535).contains(port), ["", "/"].contains(url.path), url.query == nil,
            url.fragment == nil
        else { return nil }
        self.host = host.text
        self.port = port
        authorization = url.user.map { user in
            "Basic " + Data("\(user):\(url.password ?? "")".utf8).base64EncodedString()
        }
    }

    /// The address without the credentials.
    package var address: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Returns the request for a tunnel. A host that is none would write lines of its own into it.
    fileprivate func request(for host: String, _ port: Int) throws(Failure) -> String {
        guard let host = URLHost(host) else {
            throw Failure(
                description: "The proxy \(address) is asked for no tunnel to '\(host.printed)', which is not a host."
            )
        }
        let target = "\(host.authority):\(port)"
        let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        return "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(credentials)\r\n"
    }
}

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
