import DeviceLinkNIO
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NetworkSupport
import PushModel

/// One request over HTTP or HTTPS on a connection of its own, with TLS 1.2 or later.
///
/// On Linux, URLSession leaves the TLS version to libcurl, trusts only the system's authorities, and does not reveal the address
/// it connects to.
struct HTTPExchange: Sendable {
    /// The path of the Unix socket to connect to, instead of the URL's host; nil for TCP.
    var socket: String?
    /// The path of a PEM file with the authorities to trust; nil for the system's.
    var authorities: String?
    /// The maximum size of a response's body, in bytes.
    var limit = Int.max
    /// The settings of TLS; nil to make them from ``authorities`` for each connection.
    var tls: NIOSSLContext?
    /// The proxy to the server; nil for a direct connection.
    var proxy: HTTPProxy?
    /// Whether connections to an address are refused. Behind a proxy, which resolves names, only numeric addresses are checked.
    var refuses: @Sendable (IPAddress) -> Bool = { _ in false }

    /// The error if there is no connection.
    struct NotConnected: LocalizedError, CustomStringConvertible {
        var description: String
        var errorDescription: String? { description }
    }

    /// The error if the body of the answer exceeds ``limit``, in bytes.
    struct TooLarge: LocalizedError, Hashable {
        var limit: Int
        var errorDescription: String? { "is larger than \(limit) bytes" }
    }

    /// The error if ``refuses`` returns true for the address of the host; no connection was opened.
    struct AddressRefused: LocalizedError, CustomStringConvertible {
        var address: String
        var host: String
        var description: String { "'\(host)' is at \(address), to which connections are refused" }
        var errorDescription: String? { description }
    }

    private struct Problem: LocalizedError {
        var errorDescription: String?
    }

    /// Sends the request. Throws a readable error if the complete response does not arrive within the request's timeout.
    func answer(to request: URLRequest) async throws -> (head: HTTPResponseHead, body: Data) {
        guard let url = request.url, let host = URLHost(of: url) else {
            throw Problem(errorDescription: "it names no host, or one that is neither a name nor an address")
        }
        do {
            let channel = try await opened(host, url)
            let limit = TimeAmount.seconds(Int64(request.timeoutInterval))
            let deadline = channel.channel.eventLoop.scheduleTask(in: limit) { channel.channel.close(promise: nil) }
            defer { deadline.cancel() }
            return try await channel.executeThenClose { inbound, outbound in
                // A server may answer and close before it has read everything; the answer counts.
                do { try await outbound.write(contentsOf: Self.parts(of: request, url, host)) } catch ChannelError
                    .ioOnClosedChannel
                {}
                var head = HTTPResponseHead(version: .http1_1, status: .ok)
                var body = Data()
                for try await part in inbound {
                    switch part {
                    case .head(let answer):
                        head = answer
                        let length = answer.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
                        if length > self.limit { throw TooLarge(limit: self.limit) }
                    case .body(let bytes):
                        guard bytes.readableBytes <= self.limit - body.count else { throw TooLarge(limit: self.limit) }
                        body.append(contentsOf: bytes.readableBytesView)
                    case .end: return (head, body)
                    }
                }
                throw Problem(errorDescription: "the connection ended before the answer")
            }
        } catch { throw Self.readable(error) }
    }

    /// Returns an error of a connection or a parser with a readable description.
    static func readable(_ error: any Error) -> any Error {
        switch error {
        case let error as NIOConnectionError:
            let known = error.connectionErrors.lazy.map(\.error).first {
                $0 is AddressRefused || $0 is HTTPProxy.Failure
            }
            return known ?? NotConnected(description: NetworkWords.reason(of: error))
        case let error as HTTPParserError:
            return Problem(errorDescription: "the answer is not HTTP/1.1: \(error.words)")
        case is any LocalizedError, is CancellationError: return error
        default: return Problem(errorDescription: NetworkWords.reason(of: error))
        }
    }

    private func opened(_ host: URLHost, _ url: URL) async throws -> Connection {
        guard let socket else {
            return try await connect(to: host, url) { try Connection(wrappingChannelSynchronously: $0) }
        }
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: socket) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch { throw NotConnected(description: NetworkWords.reason(of: error)) }
    }

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Opens a connection for requests to the host of a URL.
    ///
    /// - Parameters:
    ///   - host: the host.
    ///   - url: a URL with its scheme and port.
    ///   - wrapped: returns the result for a channel that speaks HTTP; called on its event loop.
    /// - Returns: the result of `wrapped`.
    /// - Throws: see ``readable(_:)``.
    func connect<Result: Sendable>(
        to host: URLHost,
        _ url: URL,
        _ wrapped: @escaping @Sendable (any Channel) throws -> Result
    ) async throws -> Result {
        let isSecure = url.scheme?.lowercased() == "https"
        let port = url.port ?? (isSecure ? 443 : 80)
        let context = try isSecure ? tls ?? tlsContext() : nil
        let written = url.host(percentEncoded: true) ?? host.text
        if proxy != nil { try checkKnown(host, written: written) }
        // A numeric address cannot be used as the server name of TLS.
        let name = host.address == nil ? host.text : nil
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: proxy?.host ?? host.text, port: proxy?.port ?? port) { [proxy, refuses] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let proxy {
                        try pipeline.addHandler(try HTTPProxyTunnel(through: proxy, to: host.text, port: port))
                    } else {
                        try pipeline.addHandler(AddressGuard(host: written, refuses: refuses))
                    }
                    if let context {
                        try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: name))
                    }
                    try pipeline.addHTTPClientHandlers()
                    return try wrapped(channel)
                }
            }
    }

    /// Throws if connections to the address of the host are refused, as far as it is known without the proxy.
    private func checkKnown(_ host: URLHost, written: String) throws {
        guard let address = host.knownAddress, refuses(address) else { return }
        throw AddressRefused(address: address.dotted ?? host.text, host: written)
    }

    /// Returns the settings of TLS for ``authorities``.
    func tlsContext() throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let authorities { tls.trustRoots = .certificates(try NIOSSLCertificate.read(authorities)) }
        tls.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: tls)
    }

    private static func parts(of request: URLRequest, _ url: URL, _ host: URLHost) -> [HTTPClientRequestPart] {
        let body = request.httpBody.map { HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0))) }
        return [.head(head(of: request, url, host))] + (body.map { [$0] } ?? []) + [.end(nil)]
    }

    /// Returns the head of a request on a connection of its own.
    static func head(of request: URLRequest, _ url: URL, _ host: URLHost) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Host": url.port.map { "\(host.authority):\($0)" } ?? host.authority, "Connection": "close",
            "Content-Length": "\(request.httpBody?.count ?? 0)",
        ]
        for (name, value) in request.allHTTPHeaderFields ?? [:] { headers.replaceOrAdd(name: name, value: value) }
        var target = url.path(percentEncoded: true)
        if target.isEmpty { target = "/" }
        if let query = url.query(percentEncoded: true) { target += "?" + query }
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            uri: target,
            headers: headers
        )
    }
}

extension URLRequest {
    /// Creates a request with a body of JSON.
    init(posting body: [UInt8], to url: URL, timeout: TimeInterval) {
        self.init(url: url, timeoutInterval: timeout)
        httpMethod = "POST"
        httpBody = Data(body)
        setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
}

extension URLHost {
    /// Reads the host of a URL as it is written there; nil if it has none.
    init?(of url: URL) {
        guard let host = url.host(percentEncoded: true).flatMap({ URLHost($0) }) else { return nil }
        self = host
    }
}

/// Checks the address of a connection before it is opened.
private final class AddressGuard: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    private let host: String
    private let refuses: @Sendable (IPAddress) -> Bool

    init(host: String, refuses: @escaping @Sendable (IPAddress) -> Bool) {
        self.host = host
        self.refuses = refuses
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        if let numeric = address.ipAddress.flatMap({ IPAddress($0) }), !refuses(numeric) {
            return context.connect(to: address, promise: promise)
        }
        promise?.fail(HTTPExchange.AddressRefused(address: address.ipAddress ?? "\(address)", host: host))
    }
}
