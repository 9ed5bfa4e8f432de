import Hummingbird
import Logging
import NIOCore
import NetworkSupport

/// The reason why the control endpoint cannot listen.
struct ControlListenProblem: Error, CustomStringConvertible {
    var host: String
    var port: Int
    var error: IOError

    var description: String {
        "The control endpoint cannot listen on \(host):\(port): \(error); choose another --control-port, or 0 for a free one."
    }
}

/// The HTTP interface of a gateway for tests and people: JSON, on a port of its own.
struct ControlEndpoint: Sendable {
    let gateway: Gateway
    let recorder: PushRecorder?
    let settings: GatewayServer.Control
    let logger: Logger

    /// The allowed first path components.
    static let resources = [
        "faults", "scripts", "log", "tokens", "keys", "certificates", "outage", "connections", "devices", "counts",
        "pushes", "clock",
    ]

    /// Serves requests until graceful shutdown or cancellation.
    ///
    /// - Throws: if the address cannot be bound.
    func run() async throws {
        let application = Application(
            router: router(),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "Posthorn"
            ),
            onServerRunning: { [settings] in settings.isRunning($0.localAddress?.port ?? 0) },
            logger: logger
        )
        do { try await application.run() } catch let error as IOError {
            throw ControlListenProblem(host: settings.host, port: settings.port, error: error)
        }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        let hosts = HostRule(listeningAt: settings.host)
        let facts = ControlFacts(gateway: gateway, recorder: recorder)
        router.add(
            middleware: ControlGuard(
                token: settings.token,
                hosts: hosts,
                origins: OriginRule(pages: settings.pages?.segment),
                resources: Self.resources
            )
        )
        FaultRoutes(gateway: gateway).add(to: router)
        CredentialRoutes(gateway: gateway, facts: facts).add(to: router)
        WatchRoutes(gateway: gateway).add(to: router)
        ClockRoutes(gateway: gateway).add(to: router)
        if let pages = settings.pages { PageRoutes(pages: pages, facts: facts).add(to: router) }
        if let recorder { RecordedPushRoutes(recorder: recorder).add(to: router) }
        return router
    }
}
