package import PushClock
import ServiceLifecycle

/// The push service without its network interfaces: built from a store, a sender and a clock, it provides everything that the
/// HTTP API, the SDK link and the command line need.
package struct ServiceCore: Sendable {
    package let store: any PushStore
    package let registry: Registry
    package let appSettings: AppSettings
    package let segments: SegmentController
    package let devices: DeviceController
    package let importer: DeviceImporter
    package let files: FileController
    package let acceptor: PushAcceptor
    package let dispatcher: Dispatcher
    package let schedules: ScheduleController
    package let templates: TemplateController
    package let plans: PlanController
    package let scheduleRunner: ScheduleRunner
    package let callbackRunner: CallbackRunner
    package let journeyLog: JourneyLog
    package let journeys: JourneyQueries
    package let links: SDKLinkServer
    package let registrations: RegistrationController
    package let diagnoser: Diagnoser
    package let reports: ReportQueries
    package let events: EventPages
    package let messages: MessageQueries
    package let developers: DeveloperController
    package let operators: OperatorController
    /// The limits that all nodes share; nil for a service that is alone.
    package let sharedRates: SharedRates?
    /// The place among other nodes; nil for a service that is alone.
    package let node: NodeRunner?
    package let housekeeper: Housekeeper
    package let trustedTime: TrustedTime
    package let clockWatch: ClockWatch
    /// Measures the machine; nil for a service without a data folder.
    package let machineWatch: MachineWatch?
    package let readiness: Readiness
    package let clock: any CivilClock
    /// The operator's settings. Those of limits and retention take effect at once, the others at the next start.
    package let settings: Adjustable<ServiceSettings>

    /// Reads all apps and devices from the store; starts nothing.
    package init(_ ports: ServicePorts, _ rules: ServiceSettings = ServiceSettings()) async throws {
        let base = try await ServiceBase(ports, rules)
        store = base.store
        registry = base.registry
        clock = base.clock
        settings = base.settings
        trustedTime = base.trustedTime
        journeyLog = base.journeyLog
        appSettings = AppSettings(store: store, registry: registry)
        segments = SegmentController(store: store, registry: registry)
        importer = DeviceImporter(store: store, registry: registry, clock: clock)
        files = FileController(store: store, clock: clock)
        devices = DeviceController(store: store, registry: registry, clock: clock, others: base.others)
        acceptor = PushAcceptor(base, files)
        dispatcher = Dispatcher(base)
        schedules = ScheduleController(base)
        templates = TemplateController(store: store, acceptor: acceptor, schedules: schedules, clock: clock)
        scheduleRunner = ScheduleRunner(base, acceptor)
        callbackRunner = CallbackRunner(base)
        journeys = JourneyQueries(base)
        diagnoser = Diagnoser(store: store, registry: registry, acceptor: acceptor, journeys: journeys, clock: clock)
        registrations = RegistrationController(base, acceptor)
        let controller = SDKLinkController(base, registrations)
        links = SDKLinkServer(controller, rules: base.settings.value.link, metrics: base.metrics)
        let online = OnlineNotes(store: store, registry: registry, clock: clock, calendar: base.calendar)
        events = EventPages(store: store, registry: registry, clock: clock, settings: settings)
        messages = MessageQueries(store: store, registry: registry)
        reports = ReportQueries(store: store, registry: registry, log: journeyLog, online: online)
        plans = PlanController(store: store, reports: reports, clock: clock)
        developers = DeveloperController(base)
        let environments = settings.value.environments
        readiness = Readiness(store: store, apns: ports.reachability, environments: environments, clock: clock)
        let doctor = Doctor(
            store: store,
            registry: registry,
            readiness: readiness,
            journeys: journeys,
            reports: reports,
            messages: messages,
            laneRegistry: base.laneRegistry,
            metrics: base.metrics,
            sender: ports.sender,
            clock: clock
        )
        let retention = Retention(base)
        operators = OperatorController(base, doctor: doctor, retention: retention)
        housekeeper = Housekeeper(base, online: online, retention: retention)
        clockWatch = ClockWatch(base)
        machineWatch = ports.machine.map { [clock] in MachineWatch(machine: $0, metrics: MachineMetrics(), clock: clock)
        }
        sharedRates = ports.node.map {
            SharedRates(store: $0.store, membership: $0.membership, logger: base.logger)
        }
        node = base.peers.map { [readiness] peers in
            NodeRunner(
                peers,
                registry: base.registry,
                laneRegistry: base.laneRegistry,
                router: base.router,
                schedules: base.localSchedules,
                logger: base.logger,
                noteDraining: { readiness.setDraining($0) }
            )
        }
    }
}
