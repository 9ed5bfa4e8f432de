import Logging

// What devices and other nodes reach, made of the parts of the service.

extension RegistrationController {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        others = base.others
        router = base.router
        clock = base.clock
        calendar = base.calendar
        settings = base.settings
        logger = base.logger
        journeyWatch = base.journeyLog.watch
        registrations = RegistrationRates(settings)
        calls = RegistrationRates(settings, times: Self.callsPerRegistration)
    }
}

extension SDKLinkController {
    init(_ base: ServiceBase, _ registrations: RegistrationController) {
        store = base.store
        registry = base.registry
        router = base.router
        log = base.journeyLog
        clock = base.clock
        calendar = base.calendar
        logger = base.logger
        self.registrations = registrations
    }
}

extension JourneyQueries {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        others = base.others
        log = base.journeyLog
        apnsIDs = base.apnsIDs
        clock = base.clock
    }
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
        let store = context.store
        let membership = context.membership
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
