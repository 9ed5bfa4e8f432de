/// The kinds of work that a node tells others of.
package struct BellTopics: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The log of registry changes has new entries.
    package static let feed = BellTopics(rawValue: 1)
    /// Custom messages were accepted.
    package static let messages = BellTopics(rawValue: 2)
    /// Pushes were accepted.
    package static let pushes = BellTopics(rawValue: 4)
    /// Schedules were created or changed.
    package static let schedules = BellTopics(rawValue: 8)

    package static let all: BellTopics = [.feed, .messages, .pushes, .schedules]
}

/// Tells nodes that there may be something to read. All facts are in the store: a lost ring costs a second.
///
/// Rings do not belong to data transactions and must not delay them: an implementation sends them on a connection of its own.
package protocol Bell: Sendable {
    /// Tells all other nodes. Called at most 200 times a second by a node (``BellGathering``).
    func ring(_ topics: BellTopics) async throws
    /// Waits for a ring of another node, for at most a second.
    ///
    /// - Returns: the topics rung since the last return; ``BellTopics/all`` if rings may have been lost, as after a reconnect;
    ///   empty after a second without a ring, or if the task was cancelled.
    func wait() async -> BellTopics
}

/// A store that several nodes use at the same time.
package protocol SharedStore:
    FeedStore, LeaderStore, NodeMailStore, NodeStore, PresenceStore, RateStore, SharedDeviceStore
{}
