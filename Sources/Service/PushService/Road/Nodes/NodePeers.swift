import Logging

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
        useCredentials: @escaping @Sendable (App.ID) async -> Void,
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
            useCredentials: useCredentials,
            logger: logger
        )
        others = OtherNodes(store: store, registry: registry) { [feed] in try await feed.catchUp() }
    }
}
