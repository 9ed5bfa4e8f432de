package import APNSTransport
package import AppleDeveloper
package import DeviceLinkNIO
import Foundation
package import Logging
package import NIOCore
import NIOPosix
import NIOSSL
package import PushModel
import ServiceLifecycle

/// A ``Gateway`` with its sockets: HTTP/2 over TLS for providers, one port for each environment, and WebSockets for
/// devices (`/courier`) and followers (`/events`).
package final class GatewayServer: Service {
    package struct Configuration: Sendable {
        package var host: String = "127.0.0.1"
        /// The port; 0 takes any free one, nil leaves the environment out.
        package var developmentPort: Int? = 0
        package var productionPort: Int? = 0
        package var courierPort: Int = 0
        package var transport: APNSServer.Configuration = .init()
        package var link: LinkConfiguration = LinkConfiguration()
        /// Certificates of authorities as PEM text. Client certificates issued by them are accepted in addition to those of the
        /// gateway's own authority.
        package var providerAuthorities: String?
        /// Whether the client certificate with this serial number is revoked; called once for each connection.
        package var isRevoked: @Sendable ([UInt8]) -> Bool = { _ in false }
        /// Announces one stream at first, and the transport's limit after the first accepted credential, as Apple describes it:
        /// "Sending notification requests to APNs", read October 2026. More streams are accepted all the same, our choice: some
        /// clients open many before they have read the announcement.
        package var isStrict: Bool = false
        /// The ports for channel management, by environment; 0 takes any free port. Apple's are 2195 in development and 2196 in
        /// production.
        package var managementPorts: [APNSEnvironment: Int] = [:]
        /// The control endpoint; nil for none.
        package var control: Control?
        /// The token that courier links must send as `Authorization: Bearer`; nil requires none, which is for the loopback alone.
        package var courierToken: String?
        /// The largest number of open provider connections, on all ports together. Beyond it, a connection without an accepted
        /// credential is closed to make room; if all have one, new connections are refused. An unauthenticated connection may hold
        /// ``unauthenticatedBytes`` twice.
        package var providerSessions = 500
        /// The time for which an authenticated provider connection may be idle. Apple asks providers to keep connections open
        /// for hours to days.
        package var providerIdleLimit = TimeAmount.hours(24)

        /// The memory limit of an unauthenticated connection: room for the headers of the thousand requests that h2load and other
        /// fast clients open before they send a body.
        static let unauthenticatedBytes = 2 << 20
        /// The idle limit without a credential; long enough for a provider that connects before it has anything to send.
        static let unauthenticatedIdleLimit = TimeAmount.minutes(2)

        /// Creates settings with defaults, which `change` changes.
        package init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }
    }

    package let gateway: Gateway
    private let host: String
    private let ports: ProviderPorts
    private let listener: WebSocketListener
    private let control: ControlEndpoint?
    private let logger: Logger

    private init(_ configuration: Configuration, ports: ProviderPorts, listener: WebSocketListener, logger: Logger) {
        gateway = ports.gateway
        host = configuration.host
        control = configuration.control.map {
            ControlEndpoint(gateway: ports.gateway, recorder: ports.recorder, settings: $0, logger: logger)
        }
        self.ports = ports
        self.listener = listener
        self.logger = logger
    }

    /// Opens the listeners. ``run()`` then maintains the mailboxes, opens the control endpoint, and closes everything at the end.
    ///
    /// `group` is the process's own by default.
    /// - Throws: if an address cannot be bound, the control endpoint or the courier port would be open to other machines without a
    ///   token (``ControlProblem``, ``CourierProblem``), or an authority cannot be read; everything opened before is closed again.
    package static func start(
        _ gateway: Gateway,
        authority: GatewayAuthority,
        configuration: Configuration = Configuration(),
        group: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "posthorn.gateway")
    ) async throws -> GatewayServer {
        try configuration.control?.check()
        let admission = try configuration.courierAdmission()
        let group = group ?? MultiThreadedEventLoopGroup.singleton
        var ports = try ProviderPorts(of: gateway, authority: authority, configuration: configuration, group: group)
        do {
            let numbers = [
                (APNSEnvironment.development, configuration.developmentPort),
                (APNSEnvironment.production, configuration.productionPort),
            ]
            for case (let environment, let port?) in numbers {
                ports.providers[environment] = try await ports.listen(environment, port)
            }
            for (environment, port) in configuration.managementPorts {
                ports.managers[environment] = try await ports.listen(environment, port, isManagement: true)
            }
            let listener = try await WebSocketListener.start(
                host: configuration.host,
                port: configuration.courierPort,
                acceptors: ["/courier": gateway.courier, "/events": gateway.events],
                group: group,
                configuration: configuration.link,
                admission: admission
            )
            return GatewayServer(configuration, ports: ports, listener: listener, logger: logger)
        } catch {
            await ports.close()
            throw error
        }
    }

    /// The port for providers; nil if the environment was left out.
    package func port(for environment: APNSEnvironment) -> Int? { ports.providers[environment]?.port }

    /// The port for channel management; nil if there is none.
    package func managementPort(for environment: APNSEnvironment) -> Int? { ports.managers[environment]?.port }

    /// The port for devices and followers.
    package var courierPort: Int { listener.port }

    /// The address of the control endpoint once ``run()`` has begun; nil if there is none.
    package var controlHost: String? { control?.settings.host }

    /// The URL for device links.
    package var courierURL: String { "ws://\(urlHost):\(courierPort)/courier" }

    /// The URL for follower links.
    package var eventsURL: String { "ws://\(urlHost):\(courierPort)/events" }

    private var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Maintains mailboxes and timed faults until graceful shutdown or cancellation, then answers pending requests and closes.
    package func run() async throws {
        logger.notice(
            "Gateway is listening",
            metadata: [
                "development.port": "\(port(for: .development) ?? 0)",
                "production.port": "\(port(for: .production) ?? 0)",
                "development.management.port": "\(managementPort(for: .development) ?? 0)",
                "production.management.port": "\(managementPort(for: .production) ?? 0)",
                "courier.port": "\(courierPort)",
            ]
        )
        do { try await work() } catch {
            await close()
            throw error
        }
        await close()
    }

    private func work() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { await cancelWhenGracefulShutdown { await self.gateway.runExpirations() } }
            group.addTask { await cancelWhenGracefulShutdown { await self.gateway.runFaults() } }
            if let control { group.addTask { try await control.run() } }
            try await group.waitForAll()
        }
    }

    /// Closes the listeners; for callers that do not ``run()``.
    package func close() async {
        await ports.close()
        await listener.close()
        await gateway.flush()
    }
}

/// The listeners for providers and for channel management.
private struct ProviderPorts: Sendable {
    let gateway: Gateway
    let authority: GatewayAuthority
    let host: String
    let group: any EventLoopGroup
    let recorder: PushRecorder?
    var providers: [APNSEnvironment: APNSServer] = [:]
    var managers: [APNSEnvironment: APNSServer] = [:]
    private let authorities: ProviderAuthorities
    private let transport: APNSServer.Configuration
    /// The number of streams after the first accepted credential, or from the start for a gateway that is not strict.
    private let streamLimit: Int
    private let isStrict: Bool

    init(
        of gateway: Gateway,
        authority: GatewayAuthority,
        configuration: GatewayServer.Configuration,
        group: any EventLoopGroup
    ) throws {
        self.gateway = gateway
        self.authority = authority
        self.group = group
        host = configuration.host
        recorder = configuration.control.map { _ in PushRecorder() }
        authorities = try ProviderAuthorities(
            authority,
            pem: configuration.providerAuthorities,
            isRevoked: configuration.isRevoked
        )
        var transport = configuration.transport
        transport.takesAnyClientCertificate = true
        streamLimit = transport.limits.maxConcurrentStreams
        isStrict = configuration.isStrict
        if isStrict { transport.limits.maxConcurrentStreams = 1 }
        transport.limits.unauthenticatedHeldBytes =
            transport.limits.unauthenticatedHeldBytes ?? GatewayServer.Configuration.unauthenticatedBytes
        transport.unauthenticatedIdleLimit =
            transport.unauthenticatedIdleLimit ?? GatewayServer.Configuration.unauthenticatedIdleLimit
        transport.idleLimit = transport.idleLimit ?? configuration.providerIdleLimit
        transport.quota = transport.quota ?? ConnectionQuota(limit: configuration.providerSessions)
        self.transport = transport
    }

    func close() async {
        for server in [providers, managers].flatMap(\.values) { await server.shutDown() }
    }

    func listen(_ environment: APNSEnvironment, _ port: Int, isManagement: Bool = false) async throws -> APNSServer {
        try await APNSServer.start(
            host: host,
            port: port,
            certificates: authority.chain,
            key: authority.key,
            group: group,
            configuration: transport
        ) { connection in
            let core = ProviderConnection(environment: environment) {
                connection.clientCertificate.map { ProviderCertificate($0, issuedBy: authorities) }
            }
            let session = ProviderSession(
                connection,
                core,
                of: gateway,
                isManagement: isManagement,
                usualLimit: streamLimit,
                isStrict: isStrict,
                recorder: recorder
            )
            gateway.providerSessions.add(session)
            if gateway.faultController.isBusy { session.announceStreamLimit() }
            return session
        }
    }
}

extension ProviderCertificate {
    fileprivate init(_ certificate: NIOSSLCertificate, issuedBy authorities: ProviderAuthorities) {
        self.init(der: (try? certificate.toDERBytes()) ?? [], issuedBy: authorities)
    }
}
