import Synchronization

/// Says when waiting for the server has no use any more, as the process stops and the server does not answer.
///
/// All pools and listeners of a configuration have the same value. While it applies, whatever waits for the server ends with
/// ``PostgresError/unavailable(_:)`` within ``look``, instead of after the time of a statement, and no connection is opened. Opening one
/// that has begun takes its `connect_timeout`.
package final class PostgresGivingUp: Sendable {
    private let condition = Mutex<@Sendable () -> Bool>({ false })

    /// The time between two looks of a wait.
    static let look = Duration.milliseconds(250)

    package init() {}

    /// Sets the condition, which is called often and by any thread and must not block; without one, nothing is given up.
    package func apply(when condition: @escaping @Sendable () -> Bool) { self.condition.withLock { $0 = condition } }

    /// Whether to wait no longer.
    package var applies: Bool { condition.withLock { $0 }() }

    static let reason = "this process stops, and the server does not answer"
}
