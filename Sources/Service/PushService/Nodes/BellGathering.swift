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
