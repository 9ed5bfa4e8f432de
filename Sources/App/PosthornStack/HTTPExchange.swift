import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PushLabNetwork

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request over HTTP or HTTPS on a connection of its own, with TLS 1.2 or later.
///
/// On Linux URLSession takes what its libcurl takes for TLS, believes the system's authorities alone, and says nothing of the address
/// to which it connects.
struct HTTPExchange: Sendable {
    /// A PEM file with those to believe; nil believes the system's.
    var authorities: String?
    /// Bytes of an answer's body.
    var limit = Int.max
    /// Addresses to which no connection is opened.
    var refuses: @Sendable (SocketAddress) -> Bool = { _ in false }

    private struct Problem: LocalizedError {
        var errorDescription: String?
    }

    /// - Throws: an error with a sentence: when there is no whole answer within the request's time.
    func answer(to request: URLRequest) async throws -> (head: HTTPResponseHead, body: Data) {
        guard let url = request.url, let host = url.host(percentEncoded: false) else {
            throw Problem(errorDescription: "no host is named")
        }
        do {
            let channel = try await connect(to: host, url)
            let limit = TimeAmount.seconds(Int64(request.timeoutInterval))
            let deadline = channel.channel.eventLoop.scheduleTask(in: limit) { channel.channel.close(promise: nil) }
            defer { deadline.cancel() }
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(.head(Self.head(of: request, url, host)))
                if let body = request.httpBody { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
                try await outbound.write(.end(nil))
                var head = HTTPResponseHead(version: .http1_1, status: .ok)
                var body = Data()
                for try await part in inbound {
                    switch part {
                    case .head(let answer):
                        head = answer
                        let length = answer.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
                        if length > self.limit { throw BoundedFetch.TooLarge(limit: self.limit) }
                    case .body(let bytes):
                        guard bytes.readableBytes <= self.limit - body.count else {
                            throw BoundedFetch.TooLarge(limit: self.limit)
                        }
                        body.append(contentsOf: bytes.readableBytesView)
                    case .end: return (head, body)
                    }
                }
                throw Problem(errorDescription: "the connection ended before the answer")
            }
        } catch let error as NIOConnectionError {
            let refused = error.connectionErrors.lazy.compactMap { $0.error as? MachineAddressRefused }.first
            throw refused ?? Problem(errorDescription: "\(error)")
        } catch let error as NIOSSLError {
            throw Problem(errorDescription: "\(error)")
        } catch let error as ChannelError {
            throw Problem(errorDescription: "\(error)")
        } catch let error as IOError {
            throw Problem(errorDescription: "\(error)")
        }
    }

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private func connect(to host: String, _ url: URL) async throws -> Connection {
        let isSecure = url.scheme?.lowercased() == "https"
        let port = url.port ?? (isSecure ? 443 : 80)
        let context = try isSecure ? tlsContext() : nil
        // An address in digits is no name that TLS could ask for.
        let name = (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: host, port: port) { [refuses] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(AddressGuard(host: host, refuses: refuses))
                    if let context {
                        try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: name))
                    }
                    try pipeline.addHTTPClientHandlers()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
    }

    private func tlsContext() throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let authorities { tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities)) }
        tls.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: tls)
    }

    private static func head(of request: URLRequest, _ url: URL, _ host: String) -> HTTPRequestHead {
        let shown = host.contains(":") ? "[\(host)]" : host
        var headers: HTTPHeaders = [
            "Host": url.port.map { "\(shown):\($0)" } ?? shown, "Connection": "close",
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

/// Looks at the address to which a connection is about to be opened.
private final class AddressGuard: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    private let host: String
    private let refuses: @Sendable (SocketAddress) -> Bool

    init(host: String, refuses: @escaping @Sendable (SocketAddress) -> Bool) {
        self.host = host
        self.refuses = refuses
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard refuses(address) else { return context.connect(to: address, promise: promise) }
        promise?.fail(MachineAddressRefused(address: address.ipAddress ?? "\(address)", host: host))
    }
}
