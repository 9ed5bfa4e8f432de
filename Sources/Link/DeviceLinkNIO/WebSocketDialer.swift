package import DeviceLink
import Foundation
package import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import NIOWebSocket
import NetworkSupport
import PushModel
import Synchronization

/// Opens links over WebSocket (RFC 6455), plain or over TLS.
package struct WebSocketDialer: LinkDialer {
    private let group: any EventLoopGroup
    private let trustRoots: NIOSSLTrustRoots
    private let configuration: LinkConfiguration
    private let key: Key?
    /// The address of this machine that links come from; nil for any.
    package var source: String?

    /// The token for one address.
    package struct Key: Sendable {
        package var url: String
        /// The token, sent as `Authorization: Bearer` to that address only.
        package var token: String

        package init(url: String, token: String) {
            self.url = url
            self.token = token
        }
    }

    /// `trustRoots` is the authorities trusted on `wss://` links.
    package init(
        group: any EventLoopGroup,
        trustRoots: NIOSSLTrustRoots = .default,
        configuration: LinkConfiguration = LinkConfiguration(),
        key: Key? = nil
    ) {
        self.key = key
        self.group = group
        self.trustRoots = trustRoots
        self.configuration = configuration
    }

    /// `authorities` is a PEM file with the authorities trusted on `wss://` links instead of the system's; nil for the
    /// system's.
    /// - Throws: when the file cannot be read or contains no certificate.
    package init(group: any EventLoopGroup, authorities: String?, key: Key? = nil) throws {
        let roots = try authorities.map { NIOSSLTrustRoots.certificates(try NIOSSLCertificate.read($0)) }
        self.init(group: group, trustRoots: roots ?? .default, key: key)
    }

    package func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        let link = WebSocketLink(isClient: true, configuration: configuration)
        let once = ClosedOnce(handler)
        do {
            let address = try LinkAddress(url)
            let tls = try address.isSecure ? tlsContext() : nil
            connect(link, to: address, token: key?.url == url ? key?.token : nil, tls: tls, once)
        } catch {
            link.end()
            once.report(.closed(NetworkWords.reason(of: error)))
        }
        return link
    }

    private func tlsContext() throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = trustRoots
        tls.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: tls)
    }

    private func connect(
        _ link: WebSocketLink,
        to address: LinkAddress,
        token: String?,
        tls: NIOSSLContext?,
        _ events: ClosedOnce
    ) {
        let configuration = configuration
        let fail: @Sendable (any Error) -> Void = { error in
            link.end()
            events.report(.closed("No link to \(address.host):\(address.port): \(NetworkWords.reason(of: error))."))
        }
        let bootstrap = ClientBootstrap(group: group)
        let source = source.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        (source.map { bootstrap.bind(to: $0) } ?? bootstrap)
            .connectTimeout(.seconds(10))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        let name = address.isNumeric ? nil : address.host
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
                    }
                    let upgrade = Self.upgrade(
                        link,
                        to: address,
                        token: token,
                        configuration: configuration,
                        events: events
                    )
                    let upgraded = try pipeline.configureUpgradableHTTPClientPipeline(configuration: upgrade)
                    upgraded.whenFailure { error in
                        fail(error)
                        channel.close(promise: nil)
                    }
                    // A server may accept the connection and never answer.
                    let deadline = channel.eventLoop.scheduleTask(in: configuration.openTimeout) {
                        fail(OpeningTookTooLong(limit: configuration.openTimeout))
                        channel.close(promise: nil)
                    }
                    upgraded.whenComplete { _ in deadline.cancel() }
                }
            }
            .connect(host: address.host, port: address.port)
            .whenFailure(fail)
    }

    private static func upgrade(
        _ link: WebSocketLink,
        to address: LinkAddress,
        token: String?,
        configuration: LinkConfiguration,
        events: ClosedOnce
    ) -> NIOUpgradableHTTPClientPipelineConfiguration<Void> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Void>(
            maxFrameSize: LinkConfiguration.messageBytes,
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    let handler = LinkChannelHandler(link: link, configuration: configuration) { _ in
                        events.report(.opened)
                        return { events.report($0) }
                    }
                    try limitReads(of: channel, configuration)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        )
        var headers: HTTPHeaders = ["host": address.authority, "content-length": "0"]
        if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.path, headers: headers)
        return NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: request,
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.close(promise: nil)
                    return channel.eventLoop.makeFailedFuture(UpgradeRefused())
                }
            )
        )
    }
}

private struct UpgradeRefused: Error, CustomStringConvertible {
    var description: String { "the server declined the WebSocket upgrade; is this the right path?" }
}

/// The server accepted the connection but did not open the link in time.
private struct OpeningTookTooLong: Error, CustomStringConvertible {
    var limit: TimeAmount
    var description: String { "it did not open within \(limit.nanoseconds / 1_000_000) ms" }
}

/// Passes events on until the first `closed`: a link that fails while opening may report it in two places.
final class ClosedOnce: Sendable {
    private let handler: @Sendable (LinkEvent) -> Void
    private let isClosed = Mutex(false)

    init(_ handler: @escaping @Sendable (LinkEvent) -> Void) { self.handler = handler }

    func report(_ event: LinkEvent) {
        let isLate = isClosed.withLock { isClosed in
            defer { if case .closed = event { isClosed = true } }
            return isClosed
        }
        if !isLate { handler(event) }
    }
}
