import Logging
import PushClock
import Synchronization

/// The node's end of the bell: gathers its rings.
package final class NodeBell: Sendable {
    let bell: any Bell
    private let clock: any CivilClock
    private let elapsed: @Sendable () -> Duration
    private let metrics: NodeMetrics
    private let logger: Logger
    private let gathering = Mutex(BellGathering())
    private let signal = LocalWorkSignal()

    init(_ bell: any Bell, clock: any CivilClock, metrics: NodeMetrics, logger: Logger) {
        self.bell = bell
        self.metrics = metrics
        self.clock = clock
        elapsed = clock.stopwatch()
        self.logger = logger
    }

    /// Tells other nodes soon. Does not wait.
    package func add(_ topics: BellTopics) {
        if gathering.withLock({ $0.add(topics) }) { signal.raise() }
    }

    /// Rings until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let now = elapsed()
            switch gathering.withLock({ $0.next(at: now) }) {
            case .idle: await signal.wait()
            // Cancelled means shutdown: others look by themselves within a second.
            case .wait(let time): try? await clock.sleep(for: time - now)
            case .ring(let topics):
                do {
                    try await bell.ring(topics)
                    metrics.rang(isHeard: true)
                } catch {
                    metrics.rang(isHeard: false)
                    // Others look by themselves within a second, and the heartbeat reports the store.
                    logger.debug("The other nodes could not be told of changes", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}

/// Wakes workers of this node, and tells other nodes.
final class SharedWorkSignal: WorkSignal {
    private let local: LocalWorkSignal
    private let bell: NodeBell
    private let topics: BellTopics

    /// Creates a signal. `local` wakes the workers of this node, and is raised directly when another node rings.
    init(_ local: LocalWorkSignal, _ bell: NodeBell, topics: BellTopics) {
        self.local = local
        self.bell = bell
        self.topics = topics
    }

    /// Rings may be lost.
    var lookInterval: Duration? { .seconds(1) }

    func raise() {
        local.raise()
        bell.add(topics)
    }

    func wait() async { await local.wait() }
}

/// Gathers the rings of a node, so that it sends at most 200 a second. The first ring after a pause is sent at once.
package struct BellGathering: Hashable, Sendable {
    /// The time between two rings.
    package static let interval = Duration.milliseconds(5)

    package enum Step: Hashable, Sendable {
        case ring(BellTopics)
        /// The time at which the gathered topics may be rung.
        case wait(until: Duration)
        case idle
    }

    private var topics: BellTopics = []
    private var nextAt: Duration?

    package init() {}

    /// Adds topics to ring.
    ///
    /// - Returns: whether the ringer may be idle and has to be woken.
    package mutating func add(_ new: BellTopics) -> Bool {
        defer { topics.formUnion(new) }
        return topics.isEmpty && !new.isEmpty
    }

    /// Returns the next step of the ringer, and removes the topics to ring.
    package mutating func next(at now: Duration) -> Step {
        guard !topics.isEmpty else { return .idle }
        if let nextAt, now < nextAt { return .wait(until: nextAt) }
        nextAt = now + Self.interval
        defer { topics = [] }
        return .ring(topics)
    }
}
