package import NIOCore

/// One side of a connection in its channel: the state machine, its output, and the timers of both sides.
class HTTP2Handler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// Not less: a connection in full use brings a few requests with each read, and would allocate again for each.
    static let restTime: TimeAmount = .seconds(1)

    final let stallLimit: TimeAmount
    private let restTime: TimeAmount
    final var machine: HTTP2Machine
    final var context: ChannelHandlerContext?
    final var isReading = false
    private var isReadHeld = false
    private var stallTimer: Scheduled<Void>?
    private var progress = HTTP2Machine.Progress()
    private var restTimer: Scheduled<Void>?
    private var frames = 0

    init(
        _ role: HTTP2Machine.Role,
        limits: HTTP2Limits,
        stallLimit: TimeAmount,
        restTime: TimeAmount = HTTP2Handler.restTime
    ) {
        self.stallLimit = stallLimit
        self.restTime = restTime
        machine = HTTP2Machine(role: role, limits: limits)
    }

    /// Whether nothing more is read.
    var isOver: Bool { false }

    /// Begins the connection.
    func begin(_ context: ChannelHandlerContext) {
        send(context)
        watch(context)
    }

    final func send(_ context: ChannelHandlerContext) {
        guard let output = machine.takeOutput() else { return context.flush() }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    // MARK: - The channel

    final func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    final func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    final func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        begin(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimers()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelReadComplete(context: ChannelHandlerContext) { context.fireChannelReadComplete() }

    /// Does not read from a peer that does not read what it is sent, so that nothing accumulates.
    final func read(context: ChannelHandlerContext) {
        if context.channel.isWritable { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, isReadHeld {
            isReadHeld = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // MARK: - Timers

    /// Ends a connection on which the other side must finish something and makes no progress (RFC 9113, section 10.5): its TLS
    /// handshake, its preface, the rest of a header block or of a request, or the window for an answer. Frames that do not
    /// advance it, such as PING, do not count.
    ///
    /// Must be called after each batch. A timer runs only while something is pending, so an idle connection costs nothing.
    final func watch(_ context: ChannelHandlerContext) {
        guard !isOver, stallTimer == nil, machine.isOwed else { return }
        progress = machine.progress
        stallTimer = context.eventLoop.assumeIsolated().scheduleTask(in: stallLimit) { self.checkStall() }
    }

    private func checkStall() {
        guard let context, !isOver else { return }
        stallTimer = nil
        if machine.isOwed, machine.hasStalled(since: progress) { return stalled(context) }
        advanced(context)
        watch(context)
    }

    /// Ends the connection, which has stalled.
    func stalled(_ context: ChannelHandlerContext) {}

    /// Called instead of ``stalled(_:)`` if the connection has advanced.
    func advanced(_ context: ChannelHandlerContext) {}

    /// Releases memory after a busy period once a connection has been quiet for a while.
    ///
    /// Must be called after each batch. A timer runs only while there is something to release.
    final func relax(_ context: ChannelHandlerContext) {
        guard !isOver, restTimer == nil, machine.hasSpareMemory else { return }
        frames = machine.progress.frames
        restTimer = context.eventLoop.assumeIsolated().scheduleTask(in: restTime) { self.checkRest() }
    }

    private func checkRest() {
        guard let context, !isOver else { return }
        restTimer = nil
        if machine.progress.frames == frames { machine.shrink() } else { relax(context) }
    }

    final func stopTimers() {
        stallTimer?.cancel()
        restTimer?.cancel()
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
