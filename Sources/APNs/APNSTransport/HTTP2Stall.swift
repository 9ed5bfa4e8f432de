import NIOCore

/// Ends a connection on which the other side must finish something and makes no progress (RFC 9113, section 10.5): its TLS
/// handshake, its preface, the rest of a header block or of a request, or the window for an answer. Frames that do not advance
/// it, such as PING, do not count.
///
/// A timer runs only while something is pending, so an idle connection costs nothing.
struct HTTP2Stall {
    private var timer: Scheduled<Void>?
    private var progress = HTTP2Machine.Progress()

    /// Must be called after each batch.
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

    /// Must be called by the timer.
    ///
    /// - Returns: whether nothing has advanced since.
    mutating func hasStalled(_ machine: borrowing HTTP2Machine) -> Bool {
        timer = nil
        return machine.isOwed && machine.hasStalled(since: progress)
    }

    mutating func stop() {
        timer?.cancel()
        timer = nil
    }
}
