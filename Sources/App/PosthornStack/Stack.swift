package import APNSGateway
import DeviceLinkNIO
package import Logging
import NIOPosix
import NetworkSupport
package import OTLPExport
import PushAPI
package import PushClock
package import PushDevice
package import PushModel
package import PushService
import ServiceLifecycle
import Synchronization
package import UnixSignals

/// Service, gateway and emulated iPhones in one process, connected by real sockets on free ports of the loopback.
package struct Stack: Sendable {
    package struct Settings: Sendable {
        /// The path of the folder for databases, keys and certificates.
        package var folder: String
        package var clock: any CivilClock = SystemClock()
        package var phones: Int = 1
        /// The phones' version of iOS.
        package var system: String = "17.0"
        /// The build of the sample app.
        package var environment: APNSEnvironment = .production
        /// Whether, before `body` begins, the phones are switched on and their app is registered and allowed to notify.
        package var preparesPhones: Bool = true
        /// The network of the phones' app. The demo downloads a file from this machine.
        package var network: PhoneNetwork = PhoneNetwork(reachesMachine: true)
        /// Whether each phone has a clock of its own that can be turned, instead of ``clock``. It follows ``clock`` if that can be
        /// turned, and otherwise shows the machine's time.
        package var turnsClocks: Bool = false
        /// Makes the pages to serve beside the API; nil for none.
        package var pages: ServiceNode.PageMaker?
        /// The pages to serve at the gateway's control endpoint; nil for none.
        package var console: (any ControlPages)?
        /// Whether the gateway has a port for managing broadcast channels.
        package var managesChannels: Bool = false
        /// Whether the callbacks of pushes may go to this machine, besides the public internet.
        package var callsBackToMachine: Bool = false
        /// Sends the spans of the process; nil without tracing.
        package var exporter: OTLPExporter?

        /// Creates settings with defaults, which `change` changes.
        package init(folder: String, _ change: (inout Self) -> Void = { _ in }) {
            self.folder = folder
            change(&self)
        }

        /// Makes a clock for one phone, which can be turned.
        func makePhoneClock() -> TurnableClock {
            (clock as? TurnableClock).map(TurnableClock.init(following:)) ?? TurnableClock()
        }
    }

    package static let bundleID = "com.example.pushlab"

    package let settings: Settings
    package let service: ServiceNode
    package let gateway: GatewayNode
    /// The key and the secret of the app on the phones.
    package let app: (app: App, masterSecret: String)
    /// A group with only that app.
    package let group: (group: AppGroup, masterSecret: String)
    package let api: APIClient
    /// A developer, who can create more apps through the Admin API.
    package let developer: (developer: Developer, secret: String)
    package let phones: [PushLabPhone]
    /// All reported journey events, as they happen.
    package let journeys: JourneyRecorder

    /// The URL of the SDK link.
    package var linkURL: String { api.url.replacing("http://", with: "ws://") + PushAPI.linkPath }

    /// Starts everything, runs `body`, and stops everything.
    ///
    /// The `signals` also stop everything and cancel `body`.
    package static func run<Result: Sendable>(
        _ settings: Settings,
        signals: [UnixSignal] = [],
        logger: Logger,
        _ body: @escaping @Sendable (Stack) async throws -> Result
    ) async throws -> Result {
        let folder = try DataFolder(settings.folder)
        let journeys = JourneyRecorder()
        let relay = JourneyRelay()
        // A test suite must not hit a limit by accident.
        var rules = GatewayRules()
        rules.providerTokens = Int(GatewayRules.possibleProviderTokens.upperBound)
        let gateway = try await GatewayNode.start(
            folder: folder.file("gateway"),
            configuration: GatewayServer.Configuration {
                $0.managementPorts = settings.managesChannels ? [settings.environment: 0] : [:]
                $0.control = GatewayServer.Control(pages: settings.console)
            },
            rules: rules,
            clock: settings.clock,
            sink: relay,
            logger: logger
        )
        let (store, secret) = try await ServiceStore.open(in: folder, logger: logger)
        var own = ServiceNode.Settings(api: PushAPI.Settings { $0.callLimits = .all(60_000) })
        own.route = gateway.route
        own.callbackNetworks = settings.callsBackToMachine ? IPRange.machine : []
        own.operatorFolder = folder.path
        var service = try await ServiceNode(
            own,
            store: store,
            secret: secret,
            clock: settings.clock,
            logger: logger
        ) { ports in
            ports.machine = ServiceMachine(folder: folder.path)
            ports.observer = journeys
        }
        if let pages = settings.pages { try service.add(pages: pages) }
        // In this order: an event that the recorder has is already in the log.
        relay.add(service.core.journeyLog)
        relay.add(journeys)
        let app = try await service.core.store.createApp(
            name: "PushLab",
            bundleID: bundleID,
            defaultEnvironment: settings.environment,
            at: settings.clock.date
        )
        let group = try await service.core.store.createGroup(
            name: "PushLab",
            apps: [app.app.id],
            at: settings.clock.date
        )
        gateway.server.gateway.setBundleIDs([bundleID, otherBundleID], ofTeam: GatewayNode.teamID)
        let key = gateway.key
        try await service.vault.add(
            Credential(keyID: key.id, teamID: key.teamID, privateKey: key.p8),
            of: app.app.id,
            at: settings.clock.date
        )
        let developer = try await service.core.store.createDeveloper(name: "PushLab", at: settings.clock.date)
        let services: [any Service] = (settings.exporter.map { [$0] } ?? []) + [gateway.server] + service.services
        return try await withServices(services, signals: signals, logger: logger) { [service] in
            let url = "http://127.0.0.1:\(try await service.port.value)"
            let api = APIClient(url: url, appKey: app.app.key.text, masterSecret: app.masterSecret)
            let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton)
            let phones = try makePhones(settings, of: app.app, service: url, dialer: dialer)
            let stack = Stack(
                settings: settings,
                service: service,
                gateway: gateway,
                app: app,
                group: group,
                api: api,
                developer: developer,
                phones: phones,
                journeys: journeys
            )
            defer { for phone in phones { phone.switchOff() } }
            if settings.preparesPhones { try await stack.preparePhones() }
            // Keeps the folder locked until the end.
            defer { withExtendedLifetime(folder) {} }
            return try await body(stack)
        }
    }

    private static func makePhones(
        _ settings: Settings,
        of app: App,
        service url: String,
        dialer: WebSocketDialer
    ) throws -> [PushLabPhone] {
        try (0..<settings.phones).map { number in
            try PushLabPhone(
                name: settings.phones == 1 ? "iPhone" : "iPhone \(number + 1)",
                system: settings.system,
                appKey: app.key.text,
                bundleID: bundleID,
                environment: settings.environment,
                link: url.replacing("http://", with: "ws://") + PushAPI.linkPath,
                clock: settings.turnsClocks ? settings.makePhoneClock() : settings.clock,
                dialer: dialer,
                network: settings.network
            )
        }
    }

    /// A second bundle id of the same team, for tokens that belong to another app.
    package static let otherBundleID = "com.example.other"

    private func preparePhones() async throws {
        for phone in phones {
            phone.device.setPrompts(.allow)
            phone.device.connect(courier: gateway.server.courierURL)
            phone.device.open(Self.bundleID)
        }
        for phone in phones {
            _ = try await registrationID(of: phone)
            phone.device.background(Self.bundleID)
            await phone.device.settled()
        }
    }

    /// Waits until the service knows the phone's app with its device token.
    package func registrationID(of phone: PushLabPhone) async throws -> RegistrationID {
        let registrationID = try await phone.registrationID()
        await service.core.registry.awaitToken(of: registrationID, app: app.app.id)
        return registrationID
    }

    package func sampleTokens() -> SampleTokens {
        SampleTokens(
            of: gateway.server.gateway,
            topic: Self.bundleID,
            otherTopic: Self.otherBundleID,
            environment: settings.environment
        )
    }
}

extension Stack {
    /// Makes another phone with a clock of its own, which is connected and has opened its app. Its user has not been asked for
    /// permission yet.
    ///
    /// `other`: the app of the service that the sample app belongs to, in the app's environment; the stack's own if nil.
    /// The caller switches it off.
    package func makePhone(name: String, system: String, for other: App? = nil) async throws -> PushLabPhone {
        let app = other.flatMap { $0.key == self.app.app.key ? nil : $0 }
        let bundleID = app?.bundleID ?? Self.bundleID
        let phone = try PushLabPhone(
            name: name,
            system: system,
            appKey: (app ?? self.app.app).key.text,
            bundleID: bundleID,
            environment: app?.defaultEnvironment ?? settings.environment,
            link: linkURL,
            clock: settings.makePhoneClock(),
            dialer: WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton),
            network: settings.network
        )
        phone.device.connect(courier: gateway.server.courierURL)
        phone.device.open(bundleID)
        await phone.device.settled()
        return phone
    }
}

/// Forwards journey events to all sinks that were added.
package final class JourneyRelay: JourneySink {
    private let sinks = Mutex<[any JourneySink]>([])

    package init() {}

    package func add(_ sink: any JourneySink) { sinks.withLock { $0.append(sink) } }

    package func record(_ event: JourneyEvent, of subject: JourneySubject) {
        for sink in sinks.withLock({ $0 }) { sink.record(event, of: subject) }
    }
}
