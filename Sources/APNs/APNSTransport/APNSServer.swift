package import NIOCore
import NIOPosix
package import NIOSSL
import NetworkSupport
import Synchronization

/// A TLS server that only speaks HTTP/2.
///
/// A client that offers `h2` by ALPN is answered `h2`; a client that offers nothing is assumed to speak HTTP/2 by prior
/// knowledge, as Pushy and aioapns do. SETTINGS and a wide window are sent at once, before any request.
package final class APNSServer: Sendable {
    package struct Configuration: Sendable {
        package var limits = HTTP2Limits()
        /// The time for which the other side may leave something unfinished without any progress.
        package var stallLimit: TimeAmount = .seconds(20)
        /// The quiet time after which a connection releases the memory of a busy period.
        package var restTime = HTTP2Handler.restTime
        /// The authorities of accepted client certificates; if empty, none is requested. Clients may connect without one.
        package var clientAuthorities: [NIOSSLCertificate] = []
        /// Whether to request a client certificate and accept any, whoever has issued it: the exchange checks
        /// ``APNSServerConnection/clientCertificate`` and can report an error in it, which a failed handshake cannot.
        package var takesAnyClientCertificate = false
        /// The idle time after which a connection receives `IdleTimeout` and is closed, after twice as long at the latest;
        /// nil for no limit.
        package var idleLimit: TimeAmount?
        /// The same limit until the other side has presented a valid credential (``APNSRequestHandler/trustsPeer``): then only requests
        /// count as activity, not PING. The shorter of the two applies.
        package var unauthenticatedIdleLimit: TimeAmount?
        /// The limit of open connections; servers that share the value share the limit. Nil for no limit.
        package var quota: ConnectionQuota?

        package init() {}
    }

    private let channel: any Channel
    private let connections: Connections
    /// The listening port: the given one, or the one chosen for port 0.
    package let port: Int

    private init(channel: any Channel, connections: Connections, port: Int) {
        self.channel = channel
        self.connections = connections
        self.port = port
    }

    /// Starts to listen.
    ///
    /// Port 0 takes any free one. `certificates` is the chain, own certificate first. `accept` is called for each
    /// connection, on its event loop; returns the exchange that answers its requests.
    /// - Throws: if certificate and key do not match, or the address cannot be bound.
    package static func start(
        host: String,
        port: Int,
        certificates: [NIOSSLCertificate],
        key: NIOSSLPrivateKey,
        group: any EventLoopGroup,
        configuration: Configuration = Configuration(),
        accept: @escaping @Sendable (APNSServerConnection) -> any APNSRequestHandler
    ) async throws -> APNSServer {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        tls.requireModernCiphers()
        tls.applicationProtocols = ["h2"]
        let takesAny = configuration.takesAnyClientCertificate
        if takesAny || !configuration.clientAuthorities.isEmpty {
            tls.trustRoots = .certificates(configuration.clientAuthorities)
            tls.certificateVerification = .optionalVerification
        }
        let context = try NIOSSLContext(configuration: tls)
        let connections = Connections()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Connections may be idle for long; this ends one whose other side has silently disappeared.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            // Small at first, so that an idle connection is small; on a busy one it grows to the size of a read.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 131_072)
            )
            // The event loop also serves other connections and devices' links. Between two reads, of some hundred requests each, it
            // is their turn; otherwise a busy provider would delay what its own pushes send to a device.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let place = try configuration.quota?.admit(channel)
                    let connection = APNSServerConnection(channel: channel)
                    connections.add(connection, channel)
                    let handler = ServerHandler(
                        configuration: configuration,
                        exchange: accept(connection),
                        place: place
                    )
                    connection.use(handler)
                    let tls =
                        takesAny
                        ? NIOSSLServerHandler(context: context) { _, promise in promise.succeed(.certificateVerified) }
                        : NIOSSLServerHandler(context: context)
                    try channel.pipeline.syncOperations.addHandlers([tls, handler])
                }
            }
            .bind(host: host, port: port)
            .get()
        return APNSServer(channel: channel, connections: connections, port: channel.localAddress?.port ?? port)
    }

    /// Stops listening, sends `Shutdown` on each connection and answers the requests that have arrived.
    package func shutDown() async {
        try? await channel.close()
        let open = connections.all
        for connection in open { connection.shutDown() }
        for connection in open { await connection.waitUntilClosed() }
    }
}

private final class Connections: Sendable {
    private let open = Mutex<[ObjectIdentifier: APNSServerConnection]>([:])

    var all: [APNSServerConnection] { open.withLock { Array($0.values) } }

    func add(_ connection: APNSServerConnection, _ channel: any Channel) {
        let key = ObjectIdentifier(connection)
        open.withLock { $0[key] = connection }
        channel.closeFuture.whenComplete { _ in
            self.open.withLock { _ = $0.removeValue(forKey: key) }
            // Breaks a cycle: the exchange may hold the connection, which holds the handler, which holds the exchange.
            connection.use(nil)
        }
    }
}
