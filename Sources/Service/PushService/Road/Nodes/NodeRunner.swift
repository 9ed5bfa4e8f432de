import Foundation
package import Logging
package import PushClock
import ServiceLifecycle

/// Runs the service as one node of several: sends heartbeats, follows the logs of the others, and listens to the bell.
package final class NodeRunner: NamedService {
    package let membership: NodeMembership
    package let feed: FeedReader
    let bell: NodeBell
    let links: NodeLinks
    private let store: any SharedStore
    private let name: String
    private let version: String
    private let laneRegistry: LaneRegistry
    private let router: MessageRouter
    private let registry: Registry
    /// Notes whether the node hands over its work, so that it is not ready for more.
    private let noteDraining: @Sendable (Bool) -> Void
    /// Woken by the rings of other nodes.
    private let pushes: LocalWorkSignal
    private let schedules: LocalWorkSignal
    private let metrics: NodeMetrics
    private let clock: any CivilClock
    /// Corrects the clock by an answer of the store.
    private let correct: @Sendable (Date, Duration) -> TimeInterval
    private let logger: Logger

    init(
        _ peers: NodePeers,
        registry: Registry,
        laneRegistry: LaneRegistry,
        router: MessageRouter,
        schedules: LocalWorkSignal,
        logger: Logger,
        noteDraining: @escaping @Sendable (Bool) -> Void
    ) {
        let context = peers.context
        clock = context.clock
        metrics = context.metrics
        correct = context.correct
        membership = context.membership
        bell = context.bell
        store = context.store
        pushes = context.pushes
        name = context.name
        version = context.version
        feed = peers.feed
        links = peers.mailbox.links
        self.laneRegistry = laneRegistry
        self.router = router
        self.registry = registry
        self.schedules = schedules
        self.logger = logger
        self.noteDraining = noteDraining
        links.onMove { [router] device, session in router.handOver(device, session) }
    }

    /// Works until graceful shutdown, then leaves: other nodes take over at once.
    ///
    /// - Throws: ``FeedGap`` or ``NumberLost`` if the node was away for too long to go on.
    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await self.bell.run() }
                group.addTask { await self.links.run() }
                group.addTask { await self.listen() }
                group.addTask { try await self.feed.run() }
                group.addTask { try await self.beat() }
                defer { group.cancelAll() }
                try await group.waitForAll()
            }
        }
        // When cancelled, lanes may still write what they have begun: the lease ends by itself.
        if !Task.isCancelled { await leave() }
    }

    /// Ends the membership.
    private func leave() async {
        membership.beginLeaving()
        do { try await store.leave(membership.claim) } catch {
            logger.warning(
                "The node could not leave; others take over its work when its lease has expired",
                metadata: ["error": "\(error)"]
            )
        }
    }

    // MARK: - The bell

    private func listen() async {
        while !Task.isCancelled {
            let topics = await bell.bell.wait()
            if !topics.isEmpty { metrics.heardRing() }
            // After a second without a ring everything is looked at, as rings may be lost.
            hear(topics.isEmpty ? .all : topics)
        }
    }

    private func hear(_ topics: BellTopics) {
        if topics.contains(.feed) { feed.look() }
        if topics.contains(.messages) { router.lookForMail() }
        if topics.contains(.schedules) { schedules.raise() }
        if topics.contains(.pushes) {
            laneRegistry.wakeAll()
            pushes.raise()
        }
    }

    // MARK: - Heartbeats

    private var status: NodeStatus {
        NodeStatus(version: version, links: registry.linkedDevices.count, lanes: laneRegistry.count, lag: feed.lag)
    }

    private func beat() async throws {
        while !Task.isCancelled {
            try await beatOnce()
            // Cancelled means shutdown.
            try? await clock.sleep(for: NodeLease.beat)
        }
    }

    /// The number of heartbeats in which a node that hands over its work closes most of its links. All at once, they would log in
    /// at the other nodes at once.
    private static let drainBeats = 10
    /// The smallest number of links closed with a heartbeat.
    private static let leastClosed = 100

    /// Renews the lease and the roles; joins again if the membership is over.
    ///
    /// - Throws: ``NumberLost`` if another process has the number of this node.
    package func beatOnce() async throws(NumberLost) {
        let claim = membership.claim
        let time = membership.now
        do {
            let heartbeat = try await store.renew(claim, status: status, for: NodeLease.term)
            let duration = membership.now - time
            metrics.renewed(after: duration, aliveNodes: heartbeat.aliveNodes)
            let correction = correct(heartbeat.date, duration)
            if correction != 0 {
                logger.warning(
                    "The clock of this machine and that of the store do not run alike; the store's counts",
                    metadata: ["seconds": "\(correction)"]
                )
            }
            let wasDraining = membership.isDraining
            membership.renewed(requestedAt: time, heartbeat)
            if wasDraining != membership.isDraining { await drain(heartbeat.isDraining, claim) }
            let held = try await store.lead(membership.wantedRoles, as: claim)
            metrics.holds(held.count)
            if !membership.hold(held).isEmpty { schedules.raise() }
            if membership.mayEndOthers { await endOthers(claim) }
            if membership.isDraining { links.close(max(Self.leastClosed, links.count / Self.drainBeats)) }
            // Not awaited: many logins, or a lock in the store, must not cost the node its lease.
            links.look()
        } catch let error as NodeError {
            metrics.beat(.fenced)
            metrics.holds(0)
            logger.warning("The node has lost its membership", metadata: ["error": "\(error)"])
            try await rejoin()
        } catch is CancellationError {} catch {
            metrics.beat(.failed)
            logger.error(
                "A heartbeat failed; without one, the node stops working when its lease ends",
                metadata: ["error": "\(error)"]
            )
        }
    }

    private func endOthers(_ claim: NodeClaim) async {
        do {
            let ended = try await store.endExpired(by: claim)
            for other in ended {
                logger.warning(
                    "A node was away for too long; its work is taken over",
                    metadata: ["node": "\(other.node)"]
                )
            }
            // Their lanes are free.
            if !ended.isEmpty { pushes.raise() }
        } catch {
            logger.debug("Expired nodes were not looked for", metadata: ["error": "\(error)"])
        }
    }

    private func rejoin() async throws(NumberLost) {
        membership.lose()
        let time = membership.now
        do {
            let claim = try await store.join(membership.node, name: name, status: status, for: NodeLease.term)
            // Joining resets it, and the operator who has asked for it waits for its end.
            if membership.isAskedToDrain { _ = try await store.setDraining(true, claim.node) }
            membership.joined(claim, requestedAt: time)
            links.rejoin()
            pushes.raise()
        } catch {
            logger.error("The node could not join again; retrying", metadata: ["error": "\(error)"])
            guard case NodeError.taken = error else { return }
            if membership.isTaken(for: NodeLease.term * 2) { throw NumberLost(node: membership.node) }
        }
    }

    /// The longest time for which a node that stops hands over its work: time for the links, and for the steps under way.
    package static let handOverLimit = Duration.seconds(15)

    /// Hands over the node's work before it stops: gives up roles and lanes, and closes links with each heartbeat. Returns when none
    /// are left, at once if there is no other node, and if the store is away when the lease ends: others take over then.
    package func handOver() async {
        membership.beginStopping()
        guard membership.aliveNodes > 1, !Task.isCancelled else { return }
        logger.notice("This node hands over its work to the others")
        let end = membership.now + Self.handOverLimit
        membership.beginLeaving()
        await resign(membership.claim)
        laneRegistry.wakeAll()
        pushes.raise()
        links.close(max(Self.leastClosed, links.count / Self.drainBeats))
        while laneRegistry.count > 0 || links.count > 0 {
            let left = end - membership.now
            guard left > .zero, !membership.isStranded else { break }
            // Cancelled means that the time of the shutdown is over.
            do { try await clock.sleep(for: min(left, Self.handOverPause)) } catch { break }
        }
        let left: Logger.Metadata = ["lanes": "\(laneRegistry.count)", "links": "\(links.count)"]
        logger.notice("This node has handed over its work", metadata: left)
    }

    /// The time between two looks at the work that is left.
    private static let handOverPause = Duration.milliseconds(100)

    private func resign(_ claim: NodeClaim) async {
        do { try await store.resign(claim) } catch {
            logger.debug("Roles were not given up; they end with the lease", metadata: ["error": "\(error)"])
        }
    }

    private func drain(_ isDraining: Bool, _ claim: NodeClaim) async {
        noteDraining(isDraining)
        if isDraining {
            logger.notice("An operator has asked this node to hand over its work")
            await resign(claim)
        }
        // Lanes give back what they have leased.
        laneRegistry.wakeAll()
        pushes.raise()
    }
}

/// The error of a node whose number another process has taken while it was away.
package struct NumberLost: Error, CustomStringConvertible {
    package var node: NodeID

    package var description: String {
        """
        This process was away for longer than its lease, and another process is node \(node) now. Start it again: without a number of \
        its own ('node') it takes a free one.
        """
    }
}

/// The place of a service among nodes: its membership, the store that they share, and the bell.
package struct NodeContext: Sendable {
    package let membership: NodeMembership
    let store: any SharedStore
    let bell: NodeBell
    let name: String
    let version: String
    /// The clock of the service: its date is that of the store.
    package let clock: any CivilClock
    /// Corrects the clock by an answer of the store, which took a time; returns the correction in seconds.
    let correct: @Sendable (Date, Duration) -> TimeInterval
    /// Wakes the dispatcher of this node.
    let pushes = LocalWorkSignal()
    let metrics = NodeMetrics()

    /// Joins the nodes of a store, which may show another date than the node's clock.
    ///
    /// - Throws: ``NodeError/taken(_:)`` if another process is this node; the error of the store.
    package init(
        joining node: NodeID,
        name: String,
        version: String,
        store: any SharedStore,
        bell: any Bell,
        clock: any CivilClock,
        logger: Logger
    ) async throws {
        let elapsed = clock.stopwatch()
        let time = elapsed()
        let status = NodeStatus(version: version)
        let claim = try await store.join(node, name: name, status: status, for: NodeLease.term)
        membership = NodeMembership(claim, requestedAt: time, elapsed: elapsed)
        (self.clock, correct) = Self.shared(clock)
        self.store = store
        self.bell = NodeBell(bell, clock: clock, metrics: metrics, logger: logger)
        self.name = name
        self.version = version
        // Before the service reads the clock for the first time.
        let before = elapsed()
        let heartbeat = try await store.renew(claim, status: status, for: NodeLease.term)
        let correction = correct(heartbeat.date, elapsed() - before)
        if abs(correction) > Self.toleratedDifference {
            logger.warning(
                "The clock of this machine is wrong; the store's counts",
                metadata: ["seconds": "\(correction)"]
            )
        }
    }

    /// The difference between two clocks that is not worth a warning, in seconds.
    private static let toleratedDifference: TimeInterval = 2

    private static func shared(
        _ clock: some CivilClock
    ) -> (any CivilClock, @Sendable (Date, Duration) -> TimeInterval) {
        let shared = SharedClock(clock)
        return (shared, { shared.correct(by: $0, after: $1) })
    }
}
