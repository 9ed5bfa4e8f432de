package import NIOCore

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

extension HTTP2Machine {
    /// Takes the octets to send, in one buffer; nil if there are none.
    package mutating func takeOutput() -> ByteBuffer? {
        guard !output.isEmpty else { return nil }
        var taken = ByteBufferAllocator().buffer(capacity: output.count)
        output.read { bytes in _ = unsafe taken.writeBytes(bytes.bytes) }
        output.removeAll()
        return taken
    }
}
