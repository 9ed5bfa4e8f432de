import NIOCore

/// Gives the memory of a busy time back once a connection has been quiet for a second.
///
/// Not sooner: a connection in full use brings a few requests with each read, and would make everything anew for each.
/// A timer runs only while there is something to give back.
struct HTTP2MemoryRelease {
    private static let interval = TimeAmount.seconds(1)

    private var timer: Scheduled<Void>?
    private var frames = 0

    /// To be called after each batch.
    mutating func watch(_ machine: borrowing HTTP2Machine, on loop: any EventLoop, check: @escaping () -> Void) {
        guard timer == nil, machine.hasSpareMemory else { return }
        frames = machine.progress.frames
        timer = loop.assumeIsolated().scheduleTask(in: Self.interval, check)
    }

    /// To be called by the timer.
    ///
    /// - Returns: whether the connection was quiet.
    mutating func isQuiet(_ machine: borrowing HTTP2Machine) -> Bool {
        timer = nil
        return machine.progress.frames == frames
    }

    mutating func stop() {
        timer?.cancel()
        timer = nil
    }
}
