import Logging

// What devices and other nodes reach.
extension ServiceBase {
    func makeRegistrations() -> RegistrationController {
        RegistrationController(
            store: store,
            registry: registry,
            others: others,
            clock: clock,
            calendar: calendar,
            logger: logger,
            router: router,
            registrations: RegistrationRates(settings),
            calls: RegistrationRates(settings, times: RegistrationController.callsPerRegistration),
            settings: settings
        )
    }

    func makeLinks(_ registrations: RegistrationController) -> SDKLinkServer {
        let controller = SDKLinkController(
            store: store,
            registry: registry,
            clock: clock,
            calendar: calendar,
            logger: logger,
            router: router,
            log: journeyLog,
            registrations: registrations
        )
        return SDKLinkServer(
            controller: controller,
            router: router,
            rules: settings.value.link,
            metrics: metrics,
            logger: logger
        )
    }

    func makeJourneys() -> JourneyQueries {
        JourneyQueries(
            store: store,
            registry: registry,
            others: others,
            log: journeyLog,
            apnsIDs: apnsIDs,
            clock: clock
        )
    }

    func makeSharedRates() -> SharedRates? {
        ports.node.map { SharedRates(store: $0.store, membership: $0.membership, logger: logger) }
    }

    func makeNode(_ readiness: Readiness) -> NodeRunner? { peers.map { NodeRunner($0, self, readiness: readiness) } }
}

/// The ways of a node to the others: the logs that it reads, its links, and its mail.
struct NodePeers {
    let context: NodeContext
    let feed: FeedReader
    let others: OtherNodes
    let mailbox: NodeMailbox

    init(
        of context: NodeContext,
        from start: FeedPositions,
        registry: Registry,
        laneRegistry: LaneRegistry,
        credentials: CredentialChangeNotifier,
        logger: Logger
    ) {
        let (store, membership) = (context.store, context.membership)
        let links = NodeLinks(store: store, membership: membership, logger: logger)
        self.context = context
        mailbox = NodeMailbox(
            store: store,
            node: membership.node,
            links: links,
            announce: { context.bell.add(.messages) }
        )
        feed = FeedReader(
            context,
            cursor: FeedCursor(reader: membership.node, from: start),
            registry: registry,
            laneRegistry: laneRegistry,
            links: links,
            credentials: credentials,
            logger: logger
        )
        others = OtherNodes(store: store, registry: registry, feed: feed)
    }
}
