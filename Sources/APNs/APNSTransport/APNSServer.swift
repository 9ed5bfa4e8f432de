import DeviceLinkNIO
package import NIOCore
import NIOPosix
package import NIOSSL
import Synchronization

/// A TLS server that speaks HTTP/2 and nothing else.
///
/// A client that offers `h2` by ALPN is answered `h2`; one that offers nothing is taken to speak HTTP/2 by prior
/// knowledge, as Pushy and aioapns do. SETTINGS and a wide window leave at once, before any request.
package final class APNSServer: Sendable {
    package struct Configuration: Sendable {
        package var limits = HTTP2Limits()
        /// How long the other side may leave something unfinished without any progress.
        package var stallLimit: TimeAmount = .seconds(20)
        /// Whose client certificates are believed; without any, none is asked for. Clients may come without one.
        package var clientAuthorities: [NIOSSLCertificate] = []
        /// Asks for a client certificate and takes any, without looking who has issued it: whoever answers the requests looks
        /// at ``APNSServerConnection/clientCertificate`` and can say what is wrong with it, which a failed handshake cannot.
        package var takesAnyClientCertificate = false
        /// How long a connection may be idle before it is told `IdleTimeout` and closed, up to twice as long; nil for ever.
        package var idleLimit: TimeAmount?
        /// The same while the other side has shown no good credential (``APNSExchange/trustsPeer``): only requests count then, no
        /// PING. The shorter of the two counts.
        package var strangerIdleLimit: TimeAmount?
        /// How many connections may be open; servers that share the value share the number. Nil for as many as come.
        package var quota: ConnectionQuota?

        package init() {}
    }

    private let channel: any Channel
    private let connections: Connections
    /// The port on which it listens: the one asked for, or the one found for port 0.
    package let port: Int

    private init(channel: any Channel, connections: Connections, port: Int) {
        self.channel = channel
        self.connections = connections
        self.port = port
    }

    /// Starts to listen.
    ///
    /// Of the parameters:
    /// * `port`: 0 takes any free one.
    /// * `certificates`: the chain, own certificate first.
    /// * `accept`: called for each connection, on its event loop; returns who answers its requests.
    /// - Throws: when certificate and key do not fit, or the address cannot be bound.
    package static func start(
        host: String,
        port: Int,
        certificates: [NIOSSLCertificate],
        key: NIOSSLPrivateKey,
        group: any EventLoopGroup,
        configuration: Configuration = Configuration(),
        accept: @escaping @Sendable (APNSServerConnection) -> any APNSExchange
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
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            // Idle connections may be long; one whose other side is gone without a word ends by this.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            // Small at first, so that a quiet connection is small; a busy one grows to what a read can bring.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 131_072)
            )
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

    /// Stops listening, tells each connection `Shutdown` and answers what has arrived.
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
            // Whoever answers may hold the connection, which holds the handler, which holds whoever answers.
            connection.use(nil)
        }
    }
}
