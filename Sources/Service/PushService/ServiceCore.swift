package import Logging
package import PushClock
package import PushModel
import Tracing

/// The push service without its network interfaces: built from a store, a sender and a clock, it provides everything that the
/// HTTP API, the SDK link and the command line need.
package struct ServiceCore: Sendable {
    package let store: any PushStore
    package let registry: Registry
    package let settings: AppSettings
    package let devices: DeviceController
    package let importer: DeviceImporter
    package let groups: GroupDirectory
    package let files: FileController
    package let acceptor: PushAcceptor
    package let dispatcher: Dispatcher
    package let schedules: ScheduleController
    package let scheduleRunner: ScheduleRunner
    package let callbackRunner: CallbackRunner
    package let journeyLog: JourneyLog
    package let journeys: JourneyQueries
    package let links: SDKLinkServer
    package let registrations: RegistrationController
    package let diagnoser: Diagnoser
    package let reports: ReportQueries
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
    package let readiness: Readiness
    package let clock: any CivilClock
    /// The rules for accepting pushes.
    package let acceptRules: Adjustable<AcceptRules>
    /// The retention periods of finished data.
    package let retentionRules: Adjustable<RetentionRules>
    /// The number of registrations of an app that are accepted from one address in a minute; 0 for no limit.
    package let registrationsPerMinute: Adjustable<Int>
    /// The maximum number of an app's rows of callback events that wait.
    package let waitingCallbacks: Adjustable<Int>
    /// The limits for operators and users of the portal.
    package let operatorRules: Adjustable<OperatorRules>

    /// Reads all apps and devices from the store; starts nothing.
    ///
    /// * `scheduleRules`: the defaults for schedules.
    /// * `rules`: the retention periods of finished data.
    /// * `callbacks`: posts to callback addresses; nil for a service that sends none.
    /// * `waitingCallbacks`: the maximum number of an app's rows of callback events that wait.
    /// * `certificates`: reads certificates that developers upload.
    /// * `tester`: tries credentials at APNs.
    /// * `reachability`: checks whether APNs can be reached.
    /// * `environments`: the environments of APNs that can be used.
    /// * `machine`: the machine that `posthorn doctor` looks at; nil for a service without a data folder.
    /// * `reloader`: reads the settings again; nil for a service without settings.
    /// * `acceptRules`: the rules for accepting pushes.
    /// * `linkRules`: the settings of the SDK link.
    /// * `operatorRules`: the limits for operators and users of the portal.
    /// * `believesClock`: see ``TrustedTime``.
    /// * `signal`: wakes the dispatcher.
    /// * `owner`: the owner of the dispatcher's leases; stays the same over a restart.
    /// * `node`: makes the service one of several nodes, with leases of its own; nil for a service that is alone.
    /// * `random`: returns a number from 0 to 1, for pauses.
    /// * `observer`: receives the service's own events as they happen. The store does not need it.
    package init(
        store: any PushStore,
        keys: ServiceKeys,
        sender: any PushSender,
        clock: any CivilClock,
        scheduleRules: ScheduleRules = ScheduleRules(),
        retention rules: RetentionRules = RetentionRules(),
        callbacks: (any CallbackSender)? = nil,
        waitingCallbacks: Int = CallbackRunner.waiting,
        certificates: any CredentialInspector,
        tester: (any CredentialTester)? = nil,
        reachability: (any APNSReachability)? = nil,
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        machine: (any MachineInspector)? = nil,
        reloader: (any SettingsReloader)? = nil,
        acceptRules: AcceptRules = AcceptRules(),
        linkRules: LinkRules = LinkRules(),
        operatorRules: OperatorRules = OperatorRules(),
        believesClock: Bool = false,
        signal: any WorkSignal = LocalWorkSignal(),
        owner: LeaseOwner = .onlyNode,
        node context: NodeContext? = nil,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        observer: (any JourneySink)? = nil,
        logger: Logger
    ) async throws {
        let clock = context?.clock ?? clock
        let metrics = ServiceMetrics()
        let bell = context?.bell
        let laneRegistry = LaneRegistry(
            signal: context.map { SharedWorkSignal($0.pushes, $0.bell, topics: .pushes) } ?? signal
        )
        // One time zone for all dates that are read or returned in calendar time.
        let calendar = UseCalendar(zone: scheduleRules.zone)
        let apnsIDs = APNSIDCodec(keys)
        // Before the registry is read: changes from here on are read from the logs.
        let start = try await context?.store.feedEnd() ?? [:]
        let registry = try await Registry(store: store, keys: keys, lookup: context?.store) { bell?.add(.feed) }
        let trustedTime = try await TrustedTime(store: store, clock: clock, believesClock: believesClock)
        self.store = store
        self.registry = registry
        self.trustedTime = trustedTime
        let localSchedules = LocalWorkSignal()
        let scheduleSignal: any WorkSignal =
            if let bell { SharedWorkSignal(localSchedules, bell, topics: .schedules) } else { localSchedules }
        clockWatch = ClockWatch(
            trustedTime: trustedTime,
            store: store,
            clock: clock,
            signals: [laneRegistry.signal, scheduleSignal],
            leader: LeaderGate(.housekeeping, of: context?.membership),
            logger: logger
        )
        readiness = Readiness(store: store, apns: reachability, environments: environments, clock: clock)
        self.clock = clock
        self.acceptRules = Adjustable(acceptRules)
        retentionRules = Adjustable(rules)
        registrationsPerMinute = Adjustable(linkRules.registrationsPerMinute)
        self.waitingCallbacks = Adjustable(waitingCallbacks)
        registry.tagLimits.value = linkRules.tags
        self.operatorRules = Adjustable(operatorRules)
        settings = AppSettings(store: store, registry: registry)
        devices = DeviceController(store: store, registry: registry, clock: clock)
        importer = DeviceImporter(store: store, registry: registry, clock: clock)
        groups = GroupDirectory(store: store)
        files = FileController(store: store, clock: clock)
        let journeyLog = JourneyLog(store: store, keys: keys, clock: clock, metrics: metrics, logger: logger)
        let mailbox = context.map { context in
            NodeMailbox(
                store: context.store,
                node: context.membership.node,
                links: NodeLinks(store: context.store, membership: context.membership, logger: logger),
                announce: { context.bell.add(.messages) }
            )
        }
        let router = try await MessageRouter(
            store: store,
            registry: registry,
            log: journeyLog,
            clock: clock,
            rules: linkRules,
            mailbox: mailbox,
            logger: logger
        )
        registry.closeLinks(by: router)
        self.journeyLog = journeyLog
        acceptor = PushAcceptor(
            store: store,
            registry: registry,
            messageIDs: MessageIDSource(store: store, start: clock.date),
            clock: clock,
            trustedTime: trustedTime,
            laneRegistry: laneRegistry,
            router: router,
            apnsIDs: apnsIDs,
            observer: observer,
            files: files,
            rules: self.acceptRules,
            metrics: metrics,
            logger: logger
        )
        let worker = LaneWorker(
            store: store,
            registry: registry,
            laneRegistry: laneRegistry,
            rates: SendRates(),
            steps: StepSender(
                store: store,
                registry: registry,
                sender: sender,
                clock: clock,
                isObserved: observer != nil,
                tracer: InstrumentationSystem.backend,
                random: random
            ),
            clock: clock,
            trustedTime: trustedTime,
            apnsIDs: apnsIDs,
            observer: observer,
            leases: context.map { LeaseTerm(of: $0.membership) } ?? LeaseTerm(owner: owner),
            zone: scheduleRules.zone,
            metrics: metrics,
            logger: logger
        )
        dispatcher = Dispatcher(store: store, laneRegistry: laneRegistry, clock: clock, logger: logger, worker: worker)
        schedules = ScheduleController(
            store: store,
            registry: registry,
            rules: scheduleRules,
            clock: clock,
            signal: scheduleSignal
        )
        scheduleRunner = ScheduleRunner(
            store: store,
            registry: registry,
            acceptor: acceptor,
            rules: scheduleRules,
            clock: clock,
            trustedTime: trustedTime,
            signal: scheduleSignal,
            leader: LeaderGate(.schedules, of: context?.membership),
            metrics: metrics,
            logger: logger
        )
        callbackRunner = CallbackRunner(
            store: store,
            registry: registry,
            sender: callbacks ?? NoCallbackSender(),
            clock: clock,
            metrics: metrics,
            limit: self.waitingCallbacks,
            lookInterval: context.map { _ in NodeLease.term },
            logger: logger
        )
        journeys = JourneyQueries(store: store, registry: registry, log: journeyLog, apnsIDs: apnsIDs, clock: clock)
        diagnoser = Diagnoser(
            store: store,
            registry: registry,
            acceptor: acceptor,
            journeys: journeys,
            clock: clock
        )
        registrations = RegistrationController(
            store: store,
            registry: registry,
            clock: clock,
            calendar: calendar,
            logger: logger,
            router: router,
            registrations: RegistrationRates(perMinute: registrationsPerMinute),
            calls: RegistrationRates(
                perMinute: registrationsPerMinute,
                times: RegistrationController.callsPerRegistration
            ),
            retention: retentionRules
        )
        links = SDKLinkServer(
            controller: SDKLinkController(
                store: store,
                registry: registry,
                clock: clock,
                calendar: calendar,
                logger: logger,
                router: router,
                log: journeyLog,
                registrations: registrations
            ),
            router: router,
            rules: linkRules,
            metrics: metrics,
            logger: logger
        )
        let online = OnlineNotes(store: store, registry: registry, clock: clock, calendar: calendar)
        messages = MessageQueries(store: store, registry: registry)
        reports = ReportQueries(store: store, registry: registry, log: journeyLog, online: online)
        let vault = CredentialVault(store: store, keys: keys)
        let certificateWatch = CertificateWatch(
            store: store,
            registry: registry,
            metrics: CertificateMetrics(),
            clock: clock,
            logger: logger
        )
        let notifier = CredentialChangeNotifier(
            trials: tester.map { CredentialTrials(tester: $0, clock: clock) },
            signal: laneRegistry.signal,
            certificates: certificateWatch,
            announce: { bell?.add(.feed) }
        )
        developers = DeveloperController(
            store: store,
            registry: registry,
            vault: vault,
            inspector: certificates,
            notifier: notifier,
            clock: clock
        )
        let retention = Retention(
            store: store,
            registry: registry,
            settings: retentionRules,
            shared: context?.store,
            calendar: calendar,
            logger: logger
        )
        operators = OperatorController(
            store: store,
            registry: registry,
            vault: vault,
            inspector: certificates,
            notifier: notifier,
            doctor: Doctor(
                store: store,
                registry: registry,
                readiness: readiness,
                journeys: journeys,
                reports: reports,
                messages: messages,
                laneRegistry: laneRegistry,
                metrics: metrics,
                sender: sender,
                clock: clock
            ),
            machine: machine,
            retention: retention,
            reloader: reloader,
            nodes: context?.store,
            clock: clock,
            rules: self.operatorRules
        )
        housekeeper = Housekeeper(
            online: online,
            retention: retention,
            certificates: certificateWatch,
            leader: LeaderGate(.housekeeping, of: context?.membership),
            trustedTime: trustedTime,
            clock: clock,
            calendar: calendar,
            logger: logger
        )
        sharedRates = context.map { SharedRates(store: $0.store, membership: $0.membership, logger: logger) }
        let readiness = readiness
        node = context.flatMap { context in
            guard let links = mailbox?.links else { return nil }
            let feed = FeedReader(
                store: context.store,
                cursor: FeedCursor(reader: context.membership.node, from: start),
                registry: registry,
                laneRegistry: laneRegistry,
                links: links,
                credentials: notifier,
                clock: clock,
                metrics: context.metrics,
                logger: logger
            )
            return NodeRunner(
                context,
                feed: feed,
                links: links,
                laneRegistry: laneRegistry,
                router: router,
                registry: registry,
                readiness: readiness,
                schedules: localSchedules,
                logger: logger
            )
        }
        if let feed = node?.feed { registry.catchUp(by: feed) }
    }
}
