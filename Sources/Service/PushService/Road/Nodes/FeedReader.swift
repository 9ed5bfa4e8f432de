import Logging
import PushClock
import Synchronization

/// Reads the logs of the other nodes and applies their changes to the memory of this one.
package final class FeedReader: Sendable {
    private let store: any FeedStore
    private let registry: Registry
    private let laneRegistry: LaneRegistry
    private let links: NodeLinks
    /// Lets this node use credentials that another node has changed.
    private let useCredentials: @Sendable (App.ID) async -> Void
    private let clock: any CivilClock
    private let metrics: NodeMetrics
    private let logger: Logger
    private let cursor: Mutex<FeedCursor>
    /// The position after which the log of this node is to be read, too, as the store does not know which of its changes were committed.
    private let unanswered = Mutex<Int64?>(nil)
    private let lastAge = Atomic<Int>(0)
    private let signal = LocalWorkSignal()

    /// The number of entries read together.
    private static let page = 2000

    init(
        _ context: NodeContext,
        cursor: FeedCursor,
        registry: Registry,
        laneRegistry: LaneRegistry,
        links: NodeLinks,
        useCredentials: @escaping @Sendable (App.ID) async -> Void,
        logger: Logger
    ) {
        store = context.store
        self.cursor = Mutex(cursor)
        self.registry = registry
        self.laneRegistry = laneRegistry
        self.links = links
        self.useCredentials = useCredentials
        clock = context.clock
        metrics = context.metrics
        self.logger = logger
    }

    /// The age of the oldest entry of the last page when it was read, in milliseconds.
    var lag: Int { lastAge.load(ordering: .relaxed) }

    /// Notes that there may be new entries.
    func look() { signal.raise() }

    /// Follows the logs until the task is cancelled.
    ///
    /// - Throws: ``FeedGap`` if entries that were not read are gone.
    func run() async throws {
        while !Task.isCancelled {
            do { try await catchUp() } catch let error as FeedGap { throw error } catch {
                await clock.rest(after: error, "Changes of other nodes were not read; retrying in a second", logger)
                continue
            }
            await signal.wait()
        }
    }

    /// Applies everything that other nodes have committed before this call. Several calls may run at once.
    ///
    /// - Throws: ``FeedGap`` if entries that were not read are gone; the error of the store.
    package func catchUp() async throws {
        try await readUnanswered()
        var hasMore = true
        while hasMore {
            var after = cursor.withLock { $0 }
            let page = try await applyPage(after: &after)
            // Only now: after a failure the page is read again.
            cursor.withLock { [after] in $0.advance(to: after) }
            lastAge.store(page.age, ordering: .relaxed)
            metrics.applied(page)
            hasMore = page.hasMore
        }
    }

    /// Applies changes of this node that were reported as failed, and may have been committed all the same.
    private func readUnanswered() async throws {
        if let position = try await store.takeUnansweredPosition() {
            unanswered.withLock { $0 = min($0 ?? position, position) }
        }
        guard let start = unanswered.withLock({ $0 }) else { return }
        let place = cursor.withLock { $0 }
        // The log of nobody is left out.
        var own = FeedCursor(reader: .nobody, from: place.positions.merging([place.reader: start]) { $1 })
        var hasMore = true
        while hasMore {
            hasMore = try await applyPage(after: &own).hasMore
        }
        // Another may have been found meanwhile.
        unanswered.withLock { if $0 == start { $0 = nil } }
    }

    /// Applies the page after a place, and moves the place on.
    private func applyPage(after place: inout FeedCursor) async throws -> FeedPage {
        let page = try await store.changes(after: place.positions, for: place.reader, limit: Self.page)
        guard let work = place.advance(over: page) else { throw FeedGap() }
        try await apply(work)
        return page
    }

    private func apply(_ work: FeedWork) async throws {
        if work.hasNewApps { try await registry.reloadApps() }
        registry.applyOfOthers(work.devices)
        for (app, ordinals) in work.deleted { registry.forget(ordinals, of: app) }
        if !work.importedIDs.isEmpty { registry.applyOfOthers(work.importedIDs) }
        for change in work.tags { registry.applyOfOthers(change) }
        for message in work.withdrawn { laneRegistry.withdraw(message) }
        for (device, number) in work.moved { links.moved(device, number: number) }
        for app in work.credentials { await useCredentials(app) }
    }
}

/// The error of a node that was away for longer than the logs are kept.
package struct FeedGap: Error, CustomStringConvertible {
    package var description: String {
        "This node was away for longer than changes are kept for it. Start it again: it then reads all devices anew."
    }
}
