import NIOCore

/// Ends a connection on which the other side owes something and nothing moves (RFC 9113, section 10.5): its TLS handshake,
/// its preface, the rest of a header block or of a request, or the window for an answer. Frames that bring none of it nearer,
/// such as PING, do not count.
///
/// A timer runs only while something is owed, so that a quiet connection costs nothing.
struct HTTP2Stall {
    private var timer: Scheduled<Void>?
    private var progress = HTTP2Machine.Progress()

    /// To be called after each batch.
    mutating func watch(
        _ machine: borrowing HTTP2Machine,
        every interval: TimeAmount,
        on loop: any EventLoop,
        check: @escaping () -> Void
    ) {
        guard timer == nil, machine.isOwed else { return }
        progress = machine.progress
        timer = loop.assumeIsolated().scheduleTask(in: interval, check)
    }

    /// To be called by the timer.
    ///
    /// - Returns: whether nothing has moved since.
    mutating func hasStalled(_ machine: borrowing HTTP2Machine) -> Bool {
        timer = nil
        return machine.isOwed && machine.hasStalled(since: progress)
    }

    mutating func stop() {
        timer?.cancel()
        timer = nil
    }
}
