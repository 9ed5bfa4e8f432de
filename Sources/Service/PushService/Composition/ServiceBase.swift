import Foundation
import Logging
import PushClock
import Tracing

/// The parts of the service from which all others are built.
struct ServiceBase {
    let ports: ServicePorts
    let settings: Adjustable<ServiceSettings>
    /// The zone of all dates that are read or returned in calendar time.
    let zone: TimeZone
    let metrics = ServiceMetrics()
    let pace = SendPace()
    let takeBacks = TakeBackTimes()
    let laneRegistry: LaneRegistry
    /// Woken by changes of schedules, and by the rings of other nodes.
    let localSchedules = LocalWorkSignal()
    let registry: Registry
    let trustedTime: TrustedTime
    let journeyLog: JourneyLog
    let router: MessageRouter
    let certificates: CertificateWatch
    let notifier: CredentialChangeNotifier
    /// The links of this node to the others; nil for a service that is alone.
    let peers: NodePeers?

    var store: any PushStore { ports.store }
    var clock: any CivilClock { ports.clock }
    var logger: Logger { ports.logger }
    var others: OtherNodes? { peers?.others }
    var calendar: UseCalendar { UseCalendar(zone: zone) }
    var apnsIDs: APNSIDCodec { APNSIDCodec(ports.keys) }
    var vault: CredentialVault { CredentialVault(store: store, keys: ports.keys) }
    var scheduleSignal: any WorkSignal {
        ports.node.map { SharedWorkSignal(localSchedules, $0.bell, topics: .schedules) } ?? localSchedules
    }

    /// Reads all apps and devices from the store.
    init(_ given: ServicePorts, _ rules: ServiceSettings) async throws {
        var ports = given
        let store = ports.store
        let node = ports.node
        let logger = ports.logger
        if let node { ports.clock = node.clock }
        let clock = ports.clock
        self.ports = ports
        settings = Adjustable(rules)
        zone = rules.schedules.zone
        laneRegistry = LaneRegistry(
            signal: node.map { SharedWorkSignal($0.pushes, $0.bell, topics: .pushes) } ?? ports.signal
        )
        // Before the registry is read: changes from here on are read from the logs.
        let start = try await node?.store.feedEnd() ?? [:]
        registry = try await Registry(
            store: store,
            keys: ports.keys,
            settings: settings,
            isAlone: node == nil,
            progress: ports.reading
        ) {
            node?.bell.add(.feed)
        }
        trustedTime = try await TrustedTime(store: store, clock: clock, believesClock: rules.believesClock)
        let spans = InstrumentationSystem.backend.map { [registry] in
            JourneySpans(tracer: $0, store: store, registry: registry)
        }
        journeyLog = JourneyLog(
            store: store,
            keys: ports.keys,
            spans: spans,
            clock: clock,
            metrics: metrics,
            logger: logger
        )
        certificates = CertificateWatch(
            store: store,
            registry: registry,
            metrics: CertificateMetrics(),
            clock: clock,
            logger: logger
        )
        notifier = CredentialChangeNotifier(
            trials: ports.tester.map { CredentialTrials(tester: $0, clock: clock) },
            signal: laneRegistry.signal,
            certificates: certificates,
            announce: { node?.bell.add(.feed) }
        )
        peers = node.map { [registry, laneRegistry, notifier] in
            NodePeers(
                of: $0,
                from: start,
                registry: registry,
                laneRegistry: laneRegistry,
                useCredentials: { await notifier.applyChange(of: $0) },
                logger: logger
            )
        }
        router = try await MessageRouter(
            store: store,
            registry: registry,
            log: journeyLog,
            clock: clock,
            rules: rules.link,
            zone: zone,
            mailbox: peers?.mailbox,
            logger: logger
        )
        registry.closeLinks { [weak router] in router?.closeLinks(of: $0) }
    }

    /// Lets one node do what must be done once for all.
    func leader(_ role: LeaderRole) -> LeaderGate { LeaderGate(role, of: ports.node?.membership) }
}
