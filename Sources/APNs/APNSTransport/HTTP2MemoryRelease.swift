import NIOCore

/// Releases memory after a busy period once a connection has been quiet for a second.
///
/// Not sooner: a connection in full use brings a few requests with each read, and would allocate again for each.
/// A timer runs only while there is something to release.
struct HTTP2MemoryRelease {
    private static let interval = TimeAmount.seconds(1)

    private var timer: Scheduled<Void>?
    private var frames = 0

    /// Must be called after each batch.
    mutating func watch(_ machine: borrowing HTTP2Machine, on loop: any EventLoop, check: @escaping () -> Void) {
        guard timer == nil, machine.hasSpareMemory else { return }
        frames = machine.progress.frames
        timer = loop.assumeIsolated().scheduleTask(in: Self.interval, check)
    }

    /// Must be called by the timer.
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
