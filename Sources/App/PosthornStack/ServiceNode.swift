package import Crypto
package import Foundation
package import Logging
package import NetworkSupport
package import PushAPI
package import PushClock
package import PushModel
package import PushService
package import ServiceLifecycle

/// A complete push service: a store, the provider client and HTTP.
package struct ServiceNode: Sendable {
    package let core: ServiceCore
    package let vault: CredentialVault
    package let apps: AppDirectory
    /// The port of the API, once it accepts requests.
    package let port = Announcement<Int>()
    private let store: ServiceStore
    private let sender: ProviderSender
    private let api: PushAPI
    private let settings: PushAPI.Settings
    private var pages: (any PageServer)?
    private let renewal: CertificateRenewal?
    private let watchesClock: Bool
    private let drain: Duration
    private let socket: OperatorSocket?
    private let logger: Logger

    /// Reads the store; starts nothing.
    ///
    /// - `store`: the open store, which is closed at the end.
    /// - `secret`: the secret of this service: see ``DataFolder/secret()``.
    /// - `route`: the APNs endpoints to push to.
    /// - `scheduleCatchUp`: see ``ScheduleRules/catchUp``.
    /// - `retention`: the retention of finished pushes and schedules, and of inactive devices.
    /// - `broadcastsPerDay`: see ``AcceptRules/broadcastsPerDay``.
    /// - `linkRules`: the rules of the SDK link.
    /// - `operatorRules`: the limits for operators and users of the portal.
    /// - `callbackNetworks`: the networks besides the public internet to which callbacks are sent.
    /// - `waitingCallbacks`: the maximum number of an app's rows of callback events that wait.
    /// - `operatorFolder`: the data folder in which operators find the socket; nil for none.
    /// - `machine`: the machine that `posthorn doctor` looks at; nil for a service without a data folder.
    /// - `reloader`: reads the settings again; nil for a service without settings.
    /// - `environments`: the environments of APNs that can be used.
    /// - `drain`: the time for which the service still answers after a shutdown was requested.
    /// - `watchesClock`: whether to check every minute if the clock was changed, which can happen on a real machine.
    /// - `believesClock`: whether to trust the clock as it is, even if it is far ahead of the last run.
    /// - `observer`: receives the service's own events as they happen.
    package init(
        store: ServiceStore,
        secret: SymmetricKey,
        route: ProviderSender.Endpoints,
        settings: PushAPI.Settings,
        clock: any CivilClock,
        scheduleCatchUp: TimeInterval = ScheduleRules().catchUp,
        retention: RetentionRules = RetentionRules(),
        broadcastsPerDay: Int? = nil,
        linkRules: LinkRules = LinkRules(),
        operatorRules: OperatorRules = OperatorRules(),
        callbackNetworks: [IPRange] = [],
        waitingCallbacks: Int = CallbackRunner.waiting,
        operatorFolder: String? = nil,
        machine: (any MachineInspector)? = nil,
        reloader: (any SettingsReloader)? = nil,
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        drain: Duration = .zero,
        watchesClock: Bool = false,
        believesClock: Bool = false,
        observer: (any JourneySink)? = nil,
        logger: Logger
    ) async throws {
        let keys = ServiceKeys(secret: secret)
        self.store = store
        vault = CredentialVault(store: store.store, keys: keys)
        try await vault.bindSeals()
        apps = AppDirectory(store: store.store)
        // APNs refuses tokens that a wrong clock has dated.
        sender = ProviderSender(vault: vault, route: route, clock: store.node?.clock ?? clock, logger: logger)
        core = try await ServiceCore(
            store: store.store,
            keys: keys,
            sender: sender,
            clock: clock,
            scheduleRules: ScheduleRules(zone: settings.timeZone, catchUp: scheduleCatchUp),
            retention: retention,
            callbacks: CallbackClient(networks: callbackNetworks),
            waitingCallbacks: waitingCallbacks,
            certificates: CertificateReader(),
            tester: sender,
            reachability: sender,
            environments: environments,
            machine: machine,
            reloader: reloader,
            acceptRules: AcceptRules(broadcastsPerDay: broadcastsPerDay, zone: settings.timeZone),
            linkRules: linkRules,
            operatorRules: operatorRules,
            believesClock: believesClock,
            node: store.node,
            observer: observer,
            logger: logger
        )
        self.logger = logger
        self.watchesClock = watchesClock
        self.drain = drain
        socket = try operatorFolder.map { try OperatorSocket(in: $0, isServer: true) }
        api = PushAPI(core: core, settings: settings, logger: logger)
        self.settings = settings
        renewal = settings.tls.map { CertificateRenewal(tls: $0, clock: clock, logger: logger) }
    }

    /// Makes the pages to serve beside the API.
    package typealias PageMaker =
        @Sendable (ServiceCore, AppCaller, PushAPI.Settings) throws -> any PageServer

    /// Serves pages beside the API; must be called before the services run.
    package mutating func add(pages make: PageMaker) throws { pages = try make(core, api.caller, settings) }

    /// The settings that can change while a service runs.
    package struct LiveSettings: Sendable {
        package var callLimits: CallLimits
        package var failedLogins: Int
        package var broadcastsPerDay: Int?
        package var registrationsPerMinute: Int
        package var waitingCallbacks: Int
        package var tags: TagLimits
        package var operators: OperatorRules
        package var retention: RetentionRules

        package init(
            callLimits: CallLimits,
            failedLogins: Int,
            broadcastsPerDay: Int?,
            registrationsPerMinute: Int,
            waitingCallbacks: Int,
            tags: TagLimits,
            operators: OperatorRules,
            retention: RetentionRules
        ) {
            self.callLimits = callLimits
            self.failedLogins = failedLogins
            self.broadcastsPerDay = broadcastsPerDay
            self.registrationsPerMinute = registrationsPerMinute
            self.waitingCallbacks = waitingCallbacks
            self.tags = tags
            self.operators = operators
            self.retention = retention
        }
    }

    /// Applies settings from the next request on.
    package func apply(_ settings: LiveSettings) {
        api.callLimits.value = settings.callLimits
        api.failedLogins.value = settings.failedLogins
        core.acceptRules.value.broadcastsPerDay = settings.broadcastsPerDay
        core.registrationsPerMinute.value = settings.registrationsPerMinute
        core.waitingCallbacks.value = settings.waitingCallbacks
        core.registry.tagLimits.value = settings.tags
        core.operatorRules.value = settings.operators
        core.retentionRules.value = settings.retention
    }

    /// The longest time in which the services end by themselves, after a shutdown was requested.
    package var shutdownLimit: Duration {
        gracefulShutdownLimit + (core.node == nil ? drain : max(drain, NodeRunner.handOverLimit))
    }

    /// The services to run, in starting order. They shut down in reverse order, the API first.
    package var services: [any Service] {
        let application = api.application(pages: pages) { [port] in port.make(.success($0)) }
        let renewals: [any Service] = renewal.map { [$0] } ?? []
        let watches: [any Service] = watchesClock ? [core.clockWatch] : []
        let operators: [any Service] =
            socket.map { socket in
                [api.operatorApplication(onSocket: socket.path) { socket.restrict() }]
            } ?? []
        // Before whatever a node works on, so that it leaves when all of that has ended.
        let nodes: [any Service] = core.node.map { [$0] } ?? []
        let first: [any Service] = [SenderService(sender: sender, store: store, socket: socket)] + nodes
        let checks = [store.check(logger: logger)].compactMap(\.self)
        return renewals + watches + first + checks + [
            core.journeyLog, core.links, core.dispatcher,
            core.scheduleRunner, core.callbackRunner, core.housekeeper, application,
        ] + operators + [DrainNotice(readiness: core.readiness, node: core.node, clock: core.clock, time: drain)]
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
        readiness.beginDraining()
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
