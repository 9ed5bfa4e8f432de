package import PushClock

/// Rings once after a delay on a clock, unless it is cancelled before.
package final class Alarm: Sendable {
    private let task: Task<Void, Never>
    private let due: @Sendable () -> Bool

    /// - Parameters:
    ///   - delay: the delay from now, on `clock`.
    ///   - clock: the clock that measures it.
    ///   - ring: called on any thread.
    ///   - ended: called when it has rung, or was cancelled.
    package init(
        after delay: Duration,
        on clock: some CivilClock,
        ring: @escaping @Sendable () -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        let deadline = clock.now.advanced(by: delay)
        due = { deadline <= clock.now }
        // Immediate, so that the clock knows the deadline before it advances. The task is not awaited: it ends by
        // ringing or by `cancel`, which its owner calls.
        task = Task.immediate {
            defer { ended() }
            do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
            ring()
        }
    }

    /// Whether it is due; it then rings, though perhaps not immediately.
    package var isDue: Bool { due() }

    /// Returns when it has rung, or was cancelled.
    package func ended() async { await task.value }

    package func cancel() { task.cancel() }
}
