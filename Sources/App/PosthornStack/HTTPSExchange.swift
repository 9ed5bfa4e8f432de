import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request over HTTPS on a connection of its own, believing authorities of one's own: URLSession believes the system's alone
/// on Linux.
struct HTTPSExchange {
    /// A PEM file.
    var authorities: String

    private struct Problem: LocalizedError {
        var errorDescription: String?
    }

    /// - Throws: an error with a sentence: when there is no whole answer within the request's time.
    func answer(to request: URLRequest) async throws -> (body: Data, status: Int) {
        guard let url = request.url, let host = url.host(percentEncoded: false) else {
            throw Problem(errorDescription: "no host is named")
        }
        do {
            let channel = try await connect(to: host, port: url.port ?? 443)
            let limit = TimeAmount.seconds(Int64(request.timeoutInterval))
            let deadline = channel.channel.eventLoop.scheduleTask(in: limit) { channel.channel.close(promise: nil) }
            defer { deadline.cancel() }
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(.head(Self.head(of: request, url, host)))
                if let body = request.httpBody { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
                try await outbound.write(.end(nil))
                var status = 0
                var body = Data()
                for try await part in inbound {
                    switch part {
                    case .head(let head): status = Int(head.status.code)
                    case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
                    case .end: return (body, status)
                    }
                }
                throw Problem(errorDescription: "the connection ended before the answer")
            }
        } catch let error as Problem {
            throw error
        } catch {
            throw Problem(errorDescription: "\(error)")
        }
    }

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private func connect(to host: String, port: Int) async throws -> Connection {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
        tls.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: tls)
        // An address in digits is no name that TLS could ask for.
        let name = (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: name))
                    try pipeline.addHTTPClientHandlers()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
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
