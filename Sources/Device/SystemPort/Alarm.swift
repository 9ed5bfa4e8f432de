package import PushClock

/// Rings once after a time on a clock, unless it is cancelled before.
package final class Alarm: Sendable {
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - delay: how long from now, on `clock`.
    ///   - clock: whose time counts.
    ///   - ring: called on any thread.
    package init(after delay: Duration, on clock: any CivilClock, ring: @escaping @Sendable () -> Void) {
        task = Self.start(after: delay, on: clock, ring: ring)
    }

    package func cancel() { task.cancel() }

    /// The moment is fixed before the task starts, so a virtual clock that moves meanwhile makes no difference.
    private static func start<Clock: CivilClock>(
        after delay: Duration,
        on clock: Clock,
        ring: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        let deadline = clock.now.advanced(by: delay)
        // Nobody awaits an alarm: it ends by ringing or by `cancel`, which its owner calls.
        return Task {
            do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
            ring()
        }
    }
}
