import NIOCore

/// Connects an ``HTTP2Machine`` to a socket: everything in one read is processed together, and answered in one write.
final class ServerHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The stages of a connection. They are passed in this order; each may be skipped.
    private enum Phase {
        case open
        /// GOAWAY is sent; the open requests are still answered.
        case leaving
        /// All requests are answered after GOAWAY; the other side has time to read the answers and to close.
        case drained
        /// Nothing is read any more.
        case closing
    }

    private let exchange: any APNSRequestHandler
    private let stallLimit: TimeAmount
    private let idleLimit: TimeAmount?
    private let unauthenticatedIdleLimit: TimeAmount?
    /// The place in the quota, until the other side has presented a valid credential.
    private var place: ConnectionQuota.Place?
    private var machine: HTTP2Machine
    private var context: ChannelHandlerContext?
    private var stall = HTTP2Stall()
    /// Runs while the other side does not read what it is sent.
    private var unread: Scheduled<Void>?
    private var idle: Scheduled<Void>?
    private var rest = HTTP2MemoryRelease()
    private var phase = Phase.open
    private var isReading = false
    private var isReadHeld = false

    /// `place` is the place in the connection quota.
    init(configuration: APNSServer.Configuration, exchange: any APNSRequestHandler, place: ConnectionQuota.Place? = nil)
    {
        self.exchange = exchange
        self.place = place
        stallLimit = configuration.stallLimit
        idleLimit = configuration.idleLimit
        unauthenticatedIdleLimit = configuration.unauthenticatedIdleLimit
        machine = HTTP2Machine(role: .server, catalog: APNSField.catalog, limits: configuration.limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        begin(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        phase = .closing
        stall.stop()
        rest.stop()
        unread?.cancel()
        idle?.cancel()
        exchange.closed()
        context.fireChannelInactive()
    }

    /// Sends SETTINGS before any request: Pushy waits for them.
    private func begin(_ context: ChannelHandlerContext) {
        send(context)
        watch(context)
        watchIdleness(context)
    }

    // MARK: - In

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .closing else { return }
        isReading = true
        let input = unwrapInboundIn(data)
        machine.now = NIODeadline.now().uptimeNanoseconds / 1_000_000
        do {
            try Self.work(off: input, on: &machine, for: exchange) { output in
                context.write(NIOAny(output), promise: nil)
            }
        } catch {
            machine.fail(error)
            close(context, after: .milliseconds(500))
        }
        if let place, exchange.trustsPeer {
            place.trust()
            self.place = nil
        }
    }

    /// Answers all requests of one read, for which the state is borrowed once. `exchange` must not re-enter, and cannot: all its
    /// calls go through the event loop.
    private static func work(
        off input: ByteBuffer,
        on machine: inout HTTP2Machine,
        for exchange: any APNSRequestHandler,
        write: (ByteBuffer) -> Void
    ) throws(HTTP2ConnectionError) {
        let bytes = input.readableBytesUInt8Span
        var offset = 0
        var answer = HTTP2Answer(status: 200)
        while let event = try machine.next(in: bytes, at: &offset) {
            guard case .message(let stream) = event, let taken = machine.takeMessage(of: stream) else { continue }
            respond(to: taken.message, on: stream, of: &machine, by: exchange, &answer)
            if machine.output.count > 65_536, let output = machine.takeOutput() { write(output) }
            if machine.isUnauthenticated, exchange.trustsPeer { machine.trust() }
        }
    }

    @inline(__always)
    private static func respond(
        to request: HTTP2Message,
        on stream: UInt32,
        of machine: inout HTTP2Machine,
        by exchange: any APNSRequestHandler,
        _ answer: inout HTTP2Answer
    ) {
        // RFC 6585, section 5.
        answer.begin(status: request.isTooLarge ? 431 : 200)
        if request.isTooLarge || exchange.respond(to: request, on: stream, &answer) {
            if answer.quotesRequest {
                let octets = request.octets
                machine.answer(stream, answer, request: octets.span)
            } else {
                machine.answer(stream, answer, request: Span())
            }
        }
        machine.giveBack(request)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        send(context)
        watch(context)
        relax(context)
        closeIfDone(context)
        context.fireChannelReadComplete()
    }

    /// Does not read from a peer that does not read what it is sent, so that nothing accumulates.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        unread?.cancel()
        unread = nil
        if !context.channel.isWritable {
            let channel = context.channel
            unread = context.eventLoop.scheduleTask(in: stallLimit) { channel.close(promise: nil) }
        }
        if context.channel.isWritable, isReadHeld {
            isReadHeld = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func watch(_ context: ChannelHandlerContext) {
        guard phase != .closing else { return }
        stall.watch(machine, every: stallLimit, on: context.eventLoop) { self.checkStall() }
    }

    private func relax(_ context: ChannelHandlerContext) {
        guard phase != .closing else { return }
        rest.watch(machine, on: context.eventLoop) { self.checkRest() }
    }

    private func checkRest() {
        guard let context, phase != .closing else { return }
        if rest.isQuiet(machine) { machine.shrink() } else { relax(context) }
    }

    private func watchIdleness(_ context: ChannelHandlerContext) {
        let isUnauthenticated = !exchange.trustsPeer
        let limits = isUnauthenticated ? [unauthenticatedIdleLimit, idleLimit] : [idleLimit]
        guard let limit = limits.compactMap(\.self).min(), phase == .open else { return }
        // Only an authenticated peer can stay by PING alone.
        let count = isUnauthenticated ? machine.lastPeerStream : UInt32(truncatingIfNeeded: machine.progress.frames)
        idle = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            self.checkIdleness(since: count, asUnauthenticated: isUnauthenticated)
        }
    }

    private func checkIdleness(since count: UInt32, asUnauthenticated wasUnauthenticated: Bool) {
        guard let context, phase != .closing else { return }
        let isSame =
            wasUnauthenticated
            ? machine.lastPeerStream == count && !exchange.trustsPeer
            : UInt32(truncatingIfNeeded: machine.progress.frames) == count
        if machine.openStreams == 0, isSame {
            leave("IdleTimeout")
        } else {
            watchIdleness(context)
        }
    }

    private func checkStall() {
        guard let context, phase != .closing else { return }
        machine.now = NIODeadline.now().uptimeNanoseconds / 1_000_000
        if stall.hasStalled(machine) {
            machine.fail(
                HTTP2ConnectionError(.enhanceYourCalm, "Something was begun and not continued (RFC 9113, 10.5)")
            )
            close(context, after: .milliseconds(500))
            send(context)
        } else {
            machine.resetOverdueRequests()
            send(context)
            watch(context)
            closeIfDone(context)
        }
    }

    // MARK: - Out

    private func send(_ context: ChannelHandlerContext) {
        guard let output = machine.takeOutput() else {
            context.flush()
            return
        }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    /// Sends changes made outside a read at once; inside a read, they are sent with the rest.
    private func change(_ body: (inout HTTP2Machine) -> Void) {
        guard let context, phase != .closing else { return }
        body(&machine)
        if !isReading { send(context) }
        closeIfDone(context)
    }

    func answer(_ answers: [(stream: UInt32, answer: HTTP2Answer)]) {
        change { machine in
            let nothing: [UInt8] = []
            for (stream, answer) in answers { machine.answer(stream, answer, request: nothing.span) }
        }
    }

    func goAway(lastStreamID: UInt32?, _ code: HTTP2ErrorCode, _ debugData: [UInt8]) {
        // A connection on which no later request is answered is closed once the earlier ones are: some clients leave that to the server.
        if phase == .open, let lastStreamID, lastStreamID <= machine.lastPeerStream { phase = .leaving }
        change { $0.goAway(lastStreamID: lastStreamID, code, debugData: debugData) }
    }

    func reset(_ stream: UInt32, _ code: HTTP2ErrorCode) { change { $0.reset(stream, code) } }

    func announce(streamLimit: Int) { change { $0.announce(streamLimit: streamLimit) } }

    func shutDown() { leave("Shutdown") }

    private func leave(_ reason: String) {
        guard phase == .open else { return }
        phase = .leaving
        goAway(lastStreamID: nil, .noError, Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    // MARK: - The end

    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard phase == .leaving, machine.openStreams == 0 else { return }
        // The other side closes when it has read its answers; a close from here could overtake them.
        phase = .drained
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    /// Stops reading, and leaves the other side time to read the reason.
    private func close(_ context: ChannelHandlerContext, after delay: TimeAmount) {
        phase = .closing
        stall.stop()
        rest.stop()
        let channel = context.channel
        context.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }
}
