import NIOCore

/// A deadline that is set and lifted with every request, for next to nothing: one timer of the event loop serves all requests
/// that come while it runs.
final class ReusableDeadline {
    private let limit: TimeAmount
    private let expired: () -> Void
    private var end: NIODeadline?
    private var timer: Scheduled<Void>?

    /// * `expired`: is called once the deadline has passed without being lifted, which lifts it.
    init(_ limit: TimeAmount, expired: @escaping () -> Void) {
        self.limit = limit
        self.expired = expired
    }

    var isSet: Bool { end != nil }

    /// Counts from now on; one that is set already stays.
    func set(on loop: any EventLoop) {
        guard end == nil else { return }
        let end = loop.now + limit
        self.end = end
        if timer == nil { schedule(at: end, loop) }
    }

    func lift() { end = nil }

    /// Lifts it, and leaves no timer behind.
    func cancel() {
        end = nil
        timer?.cancel()
        timer = nil
    }

    private func schedule(at time: NIODeadline, _ loop: any EventLoop) {
        timer = loop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in self?.fire(loop) }
    }

    private func fire(_ loop: any EventLoop) {
        timer = nil
        guard let end else { return }
        // Set anew since the timer began.
        guard end <= loop.now else { return schedule(at: end, loop) }
        self.end = nil
        expired()
    }
}
