package import DeviceLinkNIO
package import Foundation
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import NetworkSupport
package import PrometheusExport
import PushClock
import PushModel
package import PushService

/// The HTTP server of the service: REST API v3, the SDK link, and Posthorn's own endpoints, on one port.
package struct PushAPI: Sendable {
    /// The maximum size of a request body in bytes.
    package static let bodyLimit = 4 * 1024 * 1024
    /// The greatest number of bytes of an uploaded file with the form around it.
    package static let uploadLimit = JPushLimits.fileBytes + 64 * 1024
    /// The path of the SDK link.
    package static let linkPath = "/link"

    /// The operator's settings.
    package struct Settings: Sendable {
        package var host: String = "127.0.0.1"
        /// 0 takes any free port.
        package var port: Int = 0
        /// The numbers of requests that an app may make in a window of 60 seconds.
        package var callLimits: CallLimits = .jpush
        /// The time zone for times in responses; China's by default, which clients expect.
        package var timeZone: TimeZone = .china
        /// The time limit for the first request of a connection.
        package var firstRequestLimit: Duration = .seconds(30)
        /// The time limit for receiving a request, from its first byte.
        package var requestLimit: Duration = .seconds(120)
        /// The time limit for the client to read a response.
        package var responseLimit: Duration = .seconds(120)
        package var connections: ConnectionLimits = ConnectionLimits()
        /// The limits of the SDK link. The service enforces the login timeout (``LinkRules/login``), on its own clock.
        package var link = LinkConfiguration { $0.unauthenticatedTime = nil }
        /// The number of failed logins per address and minute, beyond which further ones get 429.
        package var failedLogins: Int = 30
        /// The hash of the token with which operators authenticate over HTTP; nil refuses them.
        package var operatorToken: SecretHash?
        /// The hash of the token with which metrics can be read; the operator token can as well.
        package var metricsToken: SecretHash?
        /// The metrics to show; nil if none are collected.
        package var metrics: PrometheusMetricsFactory?
        /// The TLS configuration; nil for plain HTTP.
        package var tls: ServerTLS?
        /// Additional host names that requests may use while the service listens on the loopback.
        package var hostNames: [String] = []
        /// The origins of web pages that may open the SDK link, as in `Origin`.
        package var linkOrigins: [String] = []
        /// The proxies trusted to report a client's address.
        package var proxies: ProxyRule = .none

        /// Creates settings with defaults, which `change` changes.
        package init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }

        var admission: LinkAdmission {
            LinkAdmission(origins: Set(linkOrigins), hosts: HostRule(listeningAt: host, others: hostNames))
        }

        /// Returns the URL of the API, such as `https://127.0.0.1:8443`; `port` is the actual port.
        package func url(at port: Int) -> String { "\(tls == nil ? "http" : "https")://\(authority):\(port)" }

        /// Returns the URL of the SDK link.
        package func link(at port: Int) -> String { "\(tls == nil ? "ws" : "wss")://\(authority):\(port)\(linkPath)" }

        /// Whether traffic leaves this machine unencrypted.
        package var isOpenToReaders: Bool { tls == nil && !HostRule.isLoopback(host) }

        private var authority: String { host.contains(":") ? "[\(host)]" : host }
    }

    private static let serverName = "Posthorn"

    private let core: ServiceCore
    private let settings: Settings
    private let logger: Logger
    /// The numbers of requests that an app may make in a window of 60 seconds.
    package let callLimits: Adjustable<CallLimits>
    /// The number of failed logins per address and minute, beyond which further ones get 429.
    package let failedLogins: Adjustable<Int>
    private let limiter: RateLimiter
    private let callers: ProvenCallers
    private let failures: FailedLogins
    private let metrics = APIMetrics()
    private let requestIDs = RequestIDs()

    package init(core: ServiceCore, settings: Settings, logger: Logger) {
        self.core = core
        self.settings = settings
        self.logger = logger
        callLimits = Adjustable(settings.callLimits)
        failedLogins = Adjustable(settings.failedLogins)
        limiter = RateLimiter(limits: callLimits, shared: core.sharedRates, clock: core.clock)
        callers = ProvenCallers(registry: core.registry, clock: core.clock)
        failures = FailedLogins(
            limit: failedLogins,
            proxies: settings.proxies,
            metrics: metrics,
            logger: logger,
            clock: core.clock
        )
    }

    /// Calls the API within the process.
    package var caller: AppCaller { AppCaller(responder: router().buildResponder()) }

    /// Returns the server, ready to run, with the pages to serve beside the API; `onRunning` is called with the port once
    /// requests are answered.
    package func application(
        pages: (any PageServer)? = nil,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        let pushes = DirectPushes(
            acceptor: core.acceptor,
            limiter: limiter,
            callers: callers,
            ids: requestIDs,
            serverName: Self.serverName,
            logger: logger
        )
        let batchers = DirectPushBatchers(core.acceptor, metrics)
        let connections = OpenConnections(
            settings.connections,
            proxies: settings.proxies,
            metrics: metrics,
            logger: logger,
            clock: core.clock
        )
        return Application(
            responder: PageSplitter(
                inner: PathNormalizer(inner: router().buildResponder()),
                pages: pages,
                admission: settings.admission
            ),
            server: HTTPServerBuilder { [core, settings] responder in
                HTTPServerChannel(
                    responder: responder,
                    path: Self.linkPath,
                    acceptor: core.links,
                    admission: settings.admission,
                    proxies: settings.proxies,
                    firstRequestLimit: TimeAmount(settings.firstRequestLimit),
                    requestLimit: TimeAmount(settings.requestLimit),
                    responseLimit: TimeAmount(settings.responseLimit),
                    link: settings.link,
                    connections: connections,
                    tls: settings.tls,
                    pushes: pushes,
                    batchers: batchers
                )
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: Self.serverName,
                // Links that lost their proxy reconnect together. A client that finds the backlog full retries after one
                // second, then two, …
                backlog: 4096,
                // A connection must be accepted to be refused; only a few at a time, or they would use up the files that the
                // limit leaves.
                availableConnectionsDelegate: .maximum(settings.connections.total + 64, logger: logger)
            ),
            onServerRunning: { await onRunning($0.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    var operators: OperatorController { core.operators }
    var operatorLogger: Logger { logger }

    /// Every method and path of the router, with `{name}` for a parameter, including refused methods.
    package var routes: [(method: String, path: String)] {
        router().routes.map { ($0.method.rawValue, $0.path.description) }
    }

    /// The operations of operators, and metrics, each with its tokens.
    private func addOperators(to router: Router<APIContext>) {
        let operators = OperatorAuthentication(
            tokens: [settings.operatorToken].compactMap(\.self),
            advice:
                "This service has no operator token, so operators use the socket in its data folder. Set 'operator.token' "
                + "(POSTHORN_OPERATOR_TOKEN) to allow requests from elsewhere.",
            failures: failures
        )
        let readers = OperatorAuthentication(
            tokens: [settings.metricsToken, settings.operatorToken].compactMap(\.self),
            advice: "This service has no token for metrics. Set 'metrics.token' (POSTHORN_METRICS_TOKEN).",
            failures: failures
        )
        MetricsRoutes(factory: settings.metrics).add(to: router.group("").add(middleware: readers))
        OperatorRoutes(
            operators: core.operators,
            actor: "operator token",
            proxies: settings.proxies,
            logger: logger
        ).add(to: router.group("").add(middleware: operators))
    }

    private func addOwn(to group: RouterGroup<APIContext>) {
        OwnRoutes(
            journeys: core.journeys,
            settings: core.appSettings,
            events: core.events,
            timeZone: settings.timeZone
        ).add(to: group)
        MessageRoutes(messages: core.messages, journeys: core.journeys).add(to: group)
        DeviceListRoutes(devices: core.devices, importer: core.importer).add(to: group)
        AudienceRoutes(acceptor: core.acceptor, segments: core.segments).add(to: group)
        TemplateRoutes(templates: core.templates).add(own: group)
        PlanRoutes(plans: core.plans, timeZone: settings.timeZone).add(own: group)
    }

    private func router() -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        if metrics.isOn { router.add(middleware: RequestMetrics(metrics: metrics)) }
        if requestIDs.isTracing { router.add(middleware: TracingMiddleware()) }
        router.add(middleware: RequestIDMiddleware(ids: requestIDs))
        router.add(middleware: APIErrors())
        router.add(middleware: RequestAdmission(admission: settings.admission))
        // A client library checks whether the server is up.
        router.head("/") { _, _ in Response(status: .ok) }
        router.refuseMethods(besides: [.head], at: "/")
        HealthRoutes(readiness: core.readiness).add(to: router)
        func group(_ family: APIFamily) -> RouterGroup<APIContext> {
            let app = AppAuthentication(
                family: family,
                registry: core.registry,
                clock: core.clock,
                limiter: limiter,
                callers: callers,
                failures: failures
            )
            return family == .file
                ? router.group("").add(middleware: AppOrGroupAuthentication(app: app, group: ofGroups(family)))
                : router.group("").add(middleware: app)
        }
        func ofGroups(_ family: APIFamily) -> GroupAuthentication {
            GroupAuthentication(
                family: family,
                groups: core.store,
                clock: core.clock,
                limiter: limiter,
                failures: failures
            )
        }
        let groups = Dictionary(uniqueKeysWithValues: APIFamily.ofApps.map { ($0, group($0)) })
        if let push = groups[.push] {
            PushRoutes(acceptor: core.acceptor).add(to: push)
            CIDRoutes().add(to: push)
            BatchRoutes(acceptor: core.acceptor).add(to: push)
            TemplateRoutes(templates: core.templates).add(to: push)
            PlanRoutes(plans: core.plans, timeZone: settings.timeZone).add(to: push)
            UnsupportedRoutes.add(to: push)
        }
        GroupRoutes(acceptor: core.acceptor).add(to: router.group("").add(middleware: ofGroups(.push)))
        if let file = groups[.file] {
            FileRoutes(files: core.files, timeZone: settings.timeZone).add(to: file)
            ImageRoutes().add(to: file)
        }
        if let schedule = groups[.schedule] { ScheduleRoutes(schedules: core.schedules).add(to: schedule) }
        let others = OtherNodesFirst(node: core.node)
        if let own = groups[.own]?.add(middleware: others) { addOwn(to: own) }
        if let report = groups[.report]?.add(middleware: others) { ReportRoutes(reports: core.reports).add(to: report) }
        let groupReports = router.group("").add(
            middleware: GroupReportGuard(registry: core.registry, clock: core.clock)
        )
        .add(middleware: ofGroups(.report))
        GroupReportRoutes(reports: core.reports).add(to: groupReports)
        let developers = DeveloperAuthentication(
            controller: core.developers,
            clock: core.clock,
            limiter: limiter,
            failures: failures
        )
        AdminRoutes(controller: core.developers).add(to: router.group("").add(middleware: developers))
        addOperators(to: router)
        RegistrationRoutes(
            controller: core.registrations,
            diagnoser: core.diagnoser,
            registry: core.registry,
            proxies: settings.proxies,
            failures: failures
        ).add(to: router)
        if let device = groups[.device]?.add(middleware: others) {
            DeviceRoutes(devices: core.devices, timeZone: settings.timeZone).add(to: device)
            TagRoutes(devices: core.devices).add(to: device)
            AliasRoutes(devices: core.devices, timeZone: settings.timeZone).add(to: device)
        }
        return router
    }
}
