package import Crypto
package import Logging
package import NetworkSupport
package import PushAPI
package import PushClock
package import PushModel
package import PushService
package import ServiceLifecycle
import Synchronization

/// A complete push service: a store, the provider client and HTTP.
package struct ServiceNode: Sendable {
    package let core: ServiceCore
    package let vault: CredentialVault
    /// The port of the API, once it accepts requests.
    package let port = Announcement<Int>()
    private let settings: Settings
    private let store: ServiceStore
    private let sender: ProviderSender
    private let api: PushAPI
    private var pages: (any PageServer)?
    private let renewal: CertificateRenewal?
    private let socket: OperatorSocket?
    private let logger: Logger

    /// The settings of a service with its network interfaces.
    package struct Settings: Sendable {
        package var service: ServiceSettings
        /// The zone of its times is also that of ``service``.
        package var api: PushAPI.Settings
        /// The APNs endpoints to push to.
        package var route = ProviderSender.Endpoints.apple
        /// The networks besides the public internet to which callbacks are sent.
        package var callbackNetworks: [IPRange] = []
        /// The proxy to callback addresses; nil for direct connections.
        package var callbackProxy: HTTPProxy?
        /// The data folder in which operators find the socket; nil for none.
        package var operatorFolder: String?
        /// The time for which the service still answers after a shutdown was requested.
        package var drain = Duration.zero
        /// Whether to check every minute if the clock was changed, which can happen on a real machine.
        package var watchesClock = false

        package init(_ service: ServiceSettings = ServiceSettings(), api: PushAPI.Settings = PushAPI.Settings()) {
            self.service = service
            self.api = api
        }
    }

    /// Reads the store; starts nothing.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - store: the open store, which is closed at the end.
    ///   - secret: the secret of this service: see ``DataFolder/secret()``.
    ///   - clock: the clock.
    ///   - logger: the logger.
    ///   - change: adds other ports of the service, such as the machine.
    /// - Throws: the error of the store, or of the operators' socket.
    package init(
        _ settings: Settings,
        store: ServiceStore,
        secret: SymmetricKey,
        clock: any CivilClock,
        logger: Logger,
        ports change: (inout ServicePorts) -> Void = { _ in }
    ) async throws {
        let keys = ServiceKeys(secret: secret)
        self.settings = settings
        self.store = store
        self.logger = logger
        vault = CredentialVault(store: store.store, keys: keys)
        // APNs refuses tokens that a wrong clock has dated.
        sender = ProviderSender(vault: vault, route: settings.route, clock: store.node?.clock ?? clock, logger: logger)
        var ports = ServicePorts(
            store: store.store,
            keys: keys,
            sender: sender,
            certificates: CertificateReader(),
            clock: clock,
            logger: logger
        )
        ports.callbacks = CallbackClient(networks: settings.callbackNetworks, proxy: settings.callbackProxy)
        ports.tester = sender
        ports.reachability = sender
        ports.node = store.node
        change(&ports)
        var rules = settings.service
        rules.schedules.zone = settings.api.timeZone
        core = try await ServiceCore(ports, rules)
        socket = try settings.operatorFolder.map { try OperatorSocket(in: $0, isServer: true) }
        api = PushAPI(core: core, settings: settings.api, logger: logger)
        renewal = settings.api.tls.map { CertificateRenewal(tls: $0, clock: clock, logger: logger) }
    }

    /// The inspector of the store.
    package var storeInspector: any StoreInspector { store.inspector }

    /// Makes the pages to serve beside the API.
    package typealias PageMaker =
        @Sendable (ServiceCore, AppCaller, PushAPI.Settings) throws -> any PageServer

    /// Serves pages beside the API; must be called before the services run.
    package mutating func add(pages make: PageMaker) throws { pages = try make(core, api.caller, settings.api) }

    /// Applies settings that can change while a service runs, from the next request on.
    package func apply(_ settings: Settings) {
        api.callLimits.value = settings.api.callLimits
        api.failedLogins.value = settings.api.failedLogins
        core.settings.value = settings.service
    }

    /// The longest time in which the services end by themselves, after a shutdown was requested.
    package var shutdownLimit: Duration {
        gracefulShutdownLimit + (core.node == nil ? settings.drain : max(settings.drain, NodeRunner.handOverLimit))
    }

    /// The services to run, in starting order. They shut down in reverse order, the API first.
    package var services: [any Service] {
        let listening = Listening(awaitsSocket: socket != nil, port)
        let application = api.application(pages: pages) { listening.listens(on: $0) }
        let renewals: [any Service] = renewal.map { [$0] } ?? []
        let watches: [any Service] = settings.watchesClock ? [core.clockWatch] : []
        let operators: [any Service] =
            socket.map { socket in
                [
                    api.operatorApplication(onSocket: socket.path) {
                        socket.restrict()
                        listening.socketListens()
                    }
                ]
            } ?? []
        // Before whatever a node works on, so that it leaves when all of that has ended.
        let nodes: [any Service] = core.node.map { [$0] } ?? []
        let first: [any Service] = [SenderService(sender: sender, store: store, socket: socket)] + nodes
        // Nobody reads the metrics of a sandbox.
        let machine = settings.api.metrics == nil ? nil : core.machineWatch
        let checks: [any Service] = [store.check(logger: logger), machine].compactMap(\.self)
        return renewals + watches + first + checks + [
            core.journeyLog, core.links, core.dispatcher,
            core.scheduleRunner, core.callbackRunner, core.housekeeper, application,
        ] + operators + [
            DrainNotice(readiness: core.readiness, node: core.node, clock: core.clock, time: settings.drain)
        ]
    }
}

/// Announces the port when the API and the operators' socket both take connections: whoever reads it may use either.
private final class Listening: Sendable {
    private let state: Mutex<(port: Int?, awaitsSocket: Bool)>
    private let announcement: Announcement<Int>

    init(awaitsSocket: Bool, _ announcement: Announcement<Int>) {
        state = Mutex((nil, awaitsSocket))
        self.announcement = announcement
    }

    func listens(on port: Int) { change { $0.port = port } }
    func socketListens() { change { $0.awaitsSocket = false } }

    private func change(_ change: (inout (port: Int?, awaitsSocket: Bool)) -> Void) {
        let port = state.withLock { state in
            change(&state)
            return state.awaitsSocket ? nil : state.port
        }
        if let port { announcement.make(.success(port)) }
    }
}

/// Notes the beginning of a shutdown, and delays it, so that load balancers see it and send no more requests, and that a node can hand
/// over its work; the last service, so that it is the first to end.
private struct DrainNotice: NamedService {
    let readiness: Readiness
    let node: NodeRunner?
    let clock: any CivilClock
    let time: Duration

    func run() async throws {
        // When cancelled, no further requests are answered.
        try? await gracefulShutdown()
        readiness.setDraining(true)
        async let handedOver: Void? = node?.handOver()
        if time > .zero { try? await clock.sleep(for: time) }
        _ = await handedOver
    }
}

/// Closes the connections to APNs, the operator socket and, after everything that uses it has stopped, the database.
private struct SenderService: NamedService {
    let sender: ProviderSender
    let store: ServiceStore
    let socket: OperatorSocket?

    func run() async throws {
        var isCancelled = false
        do { try await gracefulShutdown() } catch is CancellationError { isCancelled = true }
        await sender.shutdown()
        socket?.remove()
        // Cancelled services end all at once, so others may still write. Their last reference closes the database.
        if !isCancelled { try await store.close() }
    }
}
