import NIOCore

/// A deadline that is cheap to set and lift for every request: one event loop timer serves all requests while it runs.
///
/// Its timer retains it until ``cancel()``: a weak reference would make each use of the object slower.
final class ReusableDeadline {
    private let limit: TimeAmount
    private let expired: () -> Void
    private var end: NIODeadline?
    private var timer: Scheduled<Void>?

    /// Calls `expired` when the deadline passes without being lifted; the deadline is then lifted.
    init(_ limit: TimeAmount, expired: @escaping () -> Void) {
        self.limit = limit
        self.expired = expired
    }

    /// Starts the deadline now; does nothing if it is already set.
    func set(on loop: any EventLoop) {
        guard end == nil else { return }
        let end = loop.now + limit
        self.end = end
        if timer == nil { schedule(at: end, loop) }
    }

    func lift() { end = nil }

    /// Lifts the deadline and cancels its timer.
    func cancel() {
        end = nil
        timer?.cancel()
        timer = nil
    }

    private func schedule(at time: NIODeadline, _ loop: any EventLoop) {
        timer = loop.assumeIsolated().scheduleTask(deadline: time) { self.fire(loop) }
    }

    private func fire(_ loop: any EventLoop) {
        timer = nil
        guard let end else { return }
        // The deadline was set again since the timer started.
        guard end <= loop.now else { return schedule(at: end, loop) }
        self.end = nil
        expired()
    }
}
