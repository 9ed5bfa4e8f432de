import NIOCore

/// Connects an ``HTTP2Machine`` to a socket: everything in one read is processed together, and answered in one write.
final class ServerHandler: HTTP2Handler {
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

    /// The largest number of requests that are read before the first of them is answered.
    private static let readAhead = 8

    private let exchange: any APNSRequestHandler
    /// Requests of one read that are not answered yet.
    private var complete = CompleteRequests()
    private let idleLimit: TimeAmount?
    private let unauthenticatedIdleLimit: TimeAmount?
    /// The place in the quota, until the other side has presented a valid credential.
    private var place: ConnectionQuota.Place?
    /// Runs while the other side does not read what it is sent.
    private var unread: Scheduled<Void>?
    private var idle: Scheduled<Void>?
    private var phase = Phase.open

    /// `place` is the place in the connection quota.
    init(configuration: APNSServer.Configuration, exchange: any APNSRequestHandler, place: ConnectionQuota.Place? = nil)
    {
        self.exchange = exchange
        self.place = place
        idleLimit = configuration.idleLimit
        unauthenticatedIdleLimit = configuration.unauthenticatedIdleLimit
        super.init(
            .server,
            limits: configuration.limits,
            stallLimit: configuration.stallLimit,
            restTime: configuration.restTime
        )
    }

    override var isOver: Bool { phase == .closing }

    /// Sends SETTINGS before any request: Pushy waits for them.
    override func begin(_ context: ChannelHandlerContext) {
        super.begin(context)
        watchIdleness(context)
    }

    override func channelInactive(context: ChannelHandlerContext) {
        phase = .closing
        unread?.cancel()
        idle?.cancel()
        exchange.closed()
        super.channelInactive(context: context)
    }

    // MARK: - In

    override func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        isReading = true
        let input = unwrapInboundIn(data)
        machine.now = NIODeadline.now().uptimeNanoseconds / 1_000_000
        do {
            try Self.work(off: input, on: &machine, &complete, for: exchange) { output in
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
        _ complete: inout CompleteRequests,
        for exchange: any APNSRequestHandler,
        write: (ByteBuffer) -> Void
    ) throws(HTTP2ConnectionError) {
        let bytes = input.readableBytesUInt8Span
        var offset = 0
        var answer = HTTP2Answer(status: 200)
        // Also those before a violation.
        defer { respond(to: &complete, of: &machine, by: exchange, &answer, write: write) }
        while let event = try machine.next(in: bytes, at: &offset) {
            if case .message(let stream) = event, let taken = machine.takeMessage(of: stream) {
                complete.add(taken.message, on: stream)
                machine.holdsRequests = true
                // A credential counts from the next request on.
                guard complete.count == readAhead || machine.isUnauthenticated else { continue }
            } else if event != .turn {
                continue
            }
            respond(to: &complete, of: &machine, by: exchange, &answer, write: write)
        }
    }

    private static func respond(
        to complete: inout CompleteRequests,
        of machine: inout HTTP2Machine,
        by exchange: any APNSRequestHandler,
        _ answer: inout HTTP2Answer,
        write: (ByteBuffer) -> Void
    ) {
        if complete.count > 1 { exchange.expect(complete.requests) }
        for place in 0..<complete.count {
            respond(to: complete.requests[place], on: complete.streams[place], of: &machine, by: exchange, &answer)
            if machine.output.count > 65_536, let output = machine.takeOutput() { write(output) }
            if machine.isUnauthenticated, exchange.trustsPeer { machine.trust() }
        }
        complete.removeAll()
        machine.holdsRequests = false
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

    override func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        send(context)
        watch(context)
        relax(context)
        closeIfDone(context)
        super.channelReadComplete(context: context)
    }

    override func channelWritabilityChanged(context: ChannelHandlerContext) {
        unread?.cancel()
        unread = nil
        if !context.channel.isWritable {
            let channel = context.channel
            unread = context.eventLoop.scheduleTask(in: stallLimit) { channel.close(promise: nil) }
        }
        super.channelWritabilityChanged(context: context)
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
        guard let context, !isOver else { return }
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

    override func stalled(_ context: ChannelHandlerContext) {
        machine.fail(HTTP2ConnectionError(.enhanceYourCalm, "Something was begun and not continued (RFC 9113, 10.5)"))
        close(context, after: .milliseconds(500))
        send(context)
    }

    override func advanced(_ context: ChannelHandlerContext) {
        machine.now = NIODeadline.now().uptimeNanoseconds / 1_000_000
        machine.resetOverdueRequests()
        send(context)
        closeIfDone(context)
    }

    // MARK: - Out

    /// Sends changes made outside a read at once; inside a read, they are sent with the rest.
    private func change(_ body: (inout HTTP2Machine) -> Void) {
        guard let context, !isOver else { return }
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
        stopTimers()
        let channel = context.channel
        context.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }
}

/// Requests that have arrived as a whole, in the order of their ends.
private struct CompleteRequests {
    private(set) var requests: [HTTP2Message] = []
    private(set) var streams: [UInt32] = []

    var count: Int { streams.count }

    mutating func add(_ request: HTTP2Message, on stream: UInt32) {
        requests.append(request)
        streams.append(stream)
    }

    mutating func removeAll() {
        requests.removeAll(keepingCapacity: true)
        streams.removeAll(keepingCapacity: true)
    }
}
