package import Logging
package import PostgresClient
package import PushClock
package import PushService
import Synchronization

/// The bell as notifications of PostgreSQL, on a connection of their own.
///
/// A notification names the ringing node and its topics as two numbers: `3 5`.
package final class PostgresBell: Bell {
    private let listener: PostgresListener
    private let clock: any CivilClock
    private let node: NodeID
    private let heard: Heard

    /// The topics rung since the last look.
    private final class Heard: Sendable {
        let topics = Mutex(BellTopics())
        let signal = LocalWorkSignal()

        func add(_ new: BellTopics) {
            guard !new.isEmpty else { return }
            topics.withLock { $0.formUnion(new) }
            signal.raise()
        }

        /// Returns when there is something, or the task was cancelled.
        func wait() async {
            // The signal may still be raised for topics that were taken already.
            repeat { await signal.wait() } while topics.withLock(\.isEmpty) && !Task.isCancelled
        }
    }

    /// The channel of notifications in a database.
    package static let channel = "posthorn"
    /// Every wait ends after it, as rings may be lost.
    private static let longestWait = Duration.seconds(1)

    /// Begins to listen to all nodes but this one. The clock measures the waits.
    package init(_ configuration: PostgresConfiguration, node: NodeID, clock: any CivilClock, logger: Logger) {
        self.node = node
        self.clock = clock
        let heard = Heard()
        self.heard = heard
        listener = PostgresListener(configuration, channel: Self.channel, logger: logger) { event in
            switch event {
            // Rings before it were lost.
            case .connected: heard.add(.all)
            case .notified(let text): heard.add(Self.topics(text, besides: node))
            }
        }
    }

    package func ring(_ topics: BellTopics) async throws {
        try await PostgresStore.reporting { try await listener.notify("\(node) \(topics.rawValue)") }
    }

    package func wait() async -> BellTopics {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [heard] in await heard.wait() }
            // Cancelled means shutdown, or a ring.
            group.addTask { [clock] in try? await clock.sleep(for: Self.longestWait) }
            await group.next()
            group.cancelAll()
        }
        return heard.topics.withLock { topics in
            defer { topics = [] }
            return topics
        }
    }

    /// Ends the connection.
    package func close() async { await listener.close() }

    /// Reads a notification; one of this node says nothing, and one in an unknown form, as of a newer version, may mean anything.
    static func topics(_ text: String, besides node: NodeID) -> BellTopics {
        let numbers = text.split(separator: " ").map { Int($0) }
        guard numbers.count == 2, let sender = numbers[0], let topics = numbers[1].flatMap({ UInt8(exactly: $0) })
        else { return .all }
        return sender == Int(node.rawValue) ? [] : BellTopics(rawValue: topics).intersection(.all)
    }
}
