import NIOCore
import NetworkSupport

/// Sends requests on the streams of one connection and receives the answers, in batches in both directions.
///
/// Requests beyond the stream limit wait in a queue. Each request ends exactly once.
final class ClientHandler: HTTP2Handler {
    /// The stages of a connection. They are passed in this order; each may be skipped.
    private enum Phase: Int, Comparable {
        /// Requests are accepted.
        case open
        /// No more requests are accepted; the connection closes when the open ones are answered.
        case leaving
        /// The other side has violated HTTP/2 or stalled; everything it still sends is ignored.
        case broken
        case closed

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Queued {
        var batch: HTTP2RequestBatch
        var next = 0
    }

    private let authority: [UInt8]
    private let keepAliveRules: KeepAlive.Rules
    private let events: @Sendable (APNSConnection.Event) -> Void
    private let report: @Sendable (HTTP2Outcomes) -> Void
    private var queue = CircularBuffer<Queued>()
    private var outcomes = HTTP2Outcomes()
    private var keepAlive: KeepAlive?
    private var keepAliveTimer: Scheduled<Void>?
    private var phase = Phase.open
    /// Whether SETTINGS have arrived in the current read.
    private var hasNewSettings = false
    /// The callers of ``ask(_:)``, and whether the answer to their PING has arrived in the current read.
    private var questions: [@Sendable (PeerSettings?) -> Void] = []
    private var hasPong = false
    private var isFlushScheduled = false
    private var reason = "the connection was closed by the other side"

    init(
        authority: String,
        limits: HTTP2Limits,
        stallLimit: TimeAmount,
        keepAlive: KeepAlive.Rules,
        events: @escaping @Sendable (APNSConnection.Event) -> Void,
        report: @escaping @Sendable (HTTP2Outcomes) -> Void
    ) {
        self.authority = Array(authority.utf8)
        keepAliveRules = keepAlive
        self.events = events
        self.report = report
        super.init(.client, limits: limits, stallLimit: stallLimit)
    }

    override var isOver: Bool { phase >= .broken }

    override func begin(_ context: ChannelHandlerContext) {
        keepAlive = KeepAlive(keepAliveRules, at: context.eventLoop.now)
        watchSilence(context)
        super.begin(context)
    }

    // MARK: - Requests

    func start(_ batch: HTTP2RequestBatch) {
        guard phase == .open else {
            for request in batch.requests { outcomes.fail(request.tag, .notProcessed, because: reason) }
            reportOutcomes()
            return
        }
        if let context { keepAlive?.use(at: context.eventLoop.now) }
        queue.append(Queued(batch: batch))
        openStreams()
        sendSoon()
    }

    /// Abandons all requests whose tags are in the range.
    func abandon(_ tags: ClosedRange<UInt64>, reason: String) {
        for place in queue.indices {
            let rest = queue[place].batch.requests[queue[place].next...]
            for request in rest where tags.contains(request.tag) {
                outcomes.fail(request.tag, .notProcessed, because: reason)
            }
            queue[place].batch.requests.removeSubrange(queue[place].next...)
            queue[place].batch.requests += rest.filter { !tags.contains($0.tag) }
        }
        for tag in machine.reset(tags: tags, .cancel) { outcomes.fail(tag, .undecided, because: reason) }
        openStreams()
        sendSoon()
        reportOutcomes()
        closeIfDone()
    }

    /// Accepts no more requests; closes when the open ones are answered.
    func leave(_ why: String) {
        guard phase == .open else { return }
        phase = .leaving
        reason = why
        failQueue()
        reportOutcomes()
        closeIfDone()
    }

    /// Sends a PING. `finish` gets the other side's settings as of its answer; nil if the connection ends first.
    func ask(_ finish: @escaping @Sendable (PeerSettings?) -> Void) {
        guard !isOver else { return finish(nil) }
        questions.append(finish)
        machine.ping(Self.question)
        sendSoon()
    }

    /// The data of the PING that is sent for ``ask(_:)``.
    private static let question: UInt64 = 1

    private func answerQuestions(_ settings: PeerSettings?) {
        let asked = questions
        questions = []
        for finish in asked { finish(settings) }
    }

    private func openStreams() {
        guard phase == .open else { return }
        while !queue.isEmpty, machine.canOpen {
            let batch = queue[queue.startIndex].batch
            Self.open(batch, from: &queue[queue.startIndex].next, on: &machine, authority: authority)
            if queue[queue.startIndex].next == batch.requests.count { queue.removeFirst() }
            // A large queue is sent in pieces, each encrypted while it is in the cache.
            if machine.output.count > 65_536, let context, let output = machine.takeOutput() {
                context.write(wrapOutboundOut(output), promise: nil)
            }
        }
        if machine.isUsedUp {
            // Reported first, so that nobody retries on this connection.
            let why = "the stream numbers of the connection are used up"
            events(.leaving(why))
            leave(why)
        }
    }

    /// Opens streams for a batch, as many as are allowed and fit into one write.
    private static func open(
        _ batch: HTTP2RequestBatch,
        from next: inout Int,
        on machine: inout HTTP2Machine,
        authority: [UInt8]
    ) {
        let bytes = batch.bytes.span
        while next < batch.requests.count, machine.canOpen, machine.output.count <= 65_536 {
            let request = batch.requests[next]
            next += 1
            _ = machine.open(
                tag: request.tag,
                head: batch.heads[request.head],
                authority: authority,
                path: bytes.extracting(request.path),
                fields: batch.fields[request.fields],
                of: bytes,
                body: bytes.extracting(request.body)
            )
        }
    }

    // MARK: - In

    override func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        isReading = true
        let input = unwrapInboundIn(data)
        let now = context.eventLoop.now
        keepAlive?.hear(at: now)
        machine.now = now.uptimeNanoseconds / 1_000_000
        do {
            try Self.work(off: input, &machine, &outcomes) { self.happened($0) }
        } catch {
            machine.fail(error)
            breakOff(context, "the other side broke HTTP/2: \(error)")
        }
    }

    /// Ends the connection because of the other side's behaviour. The requests fail now: a peer that does not answer the end of
    /// TLS could delay it for seconds.
    private func breakOff(_ context: ChannelHandlerContext, _ why: String) {
        reason = why
        end(in: .broken)
        send(context)
        context.close(promise: nil)
    }

    private static func work(
        off input: ByteBuffer,
        _ machine: inout HTTP2Machine,
        _ outcomes: inout HTTP2Outcomes,
        happened: (HTTP2Machine.Event) -> Void
    ) throws(HTTP2ConnectionError) {
        let bytes = input.readableBytesUInt8Span
        var offset = 0
        while let event = try machine.next(in: bytes, at: &offset) {
            switch event {
            case .message(let stream):
                guard let (tag, answer) = machine.takeMessage(of: stream) else { continue }
                outcomes.add(tag, answer)
                machine.giveBack(answer)
            case .reset(_, let tag, let code):
                let fate: APNSStreamFailure.Fate = code == .refusedStream ? .refused : .undecided
                outcomes.fail(
                    tag,
                    fate,
                    because: "the stream was reset: \(code)",
                    reset: code.asksForRetry ? nil : code
                )
            case .goAway(let last, _, let debugData):
                let reason = "GOAWAY \(String(decoding: debugData, as: UTF8.self))"
                for tag in machine.closeStreams(above: last) { outcomes.fail(tag, .notProcessed, because: reason) }
                happened(event)
            case .settings, .pong: happened(event)
            // Requests are held by servers only.
            case .turn: break
            }
        }
    }

    /// Handles an event without touching the state machine, which is in use.
    private func happened(_ event: HTTP2Machine.Event) {
        switch event {
        case .settings: hasNewSettings = true
        case .pong(Self.question): hasPong = true
        case .goAway(let last, let code, let debugData):
            let goAway = APNSGoAway(lastStreamID: Int(last), errorCode: Int(code.rawValue), debugData: debugData)
            if phase == .open { reason = "GOAWAY \(goAway.text)" }
            phase = max(phase, .leaving)
            events(.goAway(goAway))
        default: break
        }
    }

    override func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if hasNewSettings {
            hasNewSettings = false
            events(.settings(streamLimit: machine.streamLimit))
        }
        if hasPong {
            hasPong = false
            answerQuestions(machine.peer)
        }
        if phase != .open { failQueue() }
        openStreams()
        send(context)
        reportOutcomes()
        watch(context)
        relax(context)
        closeIfDone()
        super.channelReadComplete(context: context)
    }

    override func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if phase == .open { reason = "the connection failed: \(NetworkWords.reason(of: error))" }
        super.errorCaught(context: context, error: error)
    }

    override func channelInactive(context: ChannelHandlerContext) {
        keepAliveTimer?.cancel()
        end(in: .closed)
        super.channelInactive(context: context)
    }

    override func stalled(_ context: ChannelHandlerContext) {
        breakOff(context, "the other side began something and did not continue")
    }

    private func watchSilence(_ context: ChannelHandlerContext) {
        guard let next = keepAlive?.next, !isOver else { return }
        keepAliveTimer = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { self.checkSilence() }
    }

    private func checkSilence() {
        guard let context, !isOver else { return }
        switch keepAlive?.look(at: context.eventLoop.now) {
        case .ping:
            machine.ping(0)
            send(context)
        case .giveUp: return breakOff(context, "no answer to PING")
        case .quiet: if machine.openStreams == 0 { events(.quiet) }
        case nil: break
        }
        watchSilence(context)
    }

    // MARK: - Out

    /// Schedules one write for everything that is submitted in this turn of the loop.
    private func sendSoon() {
        guard let context, !isReading, !isFlushScheduled else { return }
        isFlushScheduled = true
        context.eventLoop.assumeIsolated().execute {
            self.isFlushScheduled = false
            guard self.phase != .closed, let context = self.context else { return }
            self.send(context)
            self.watch(context)
        }
    }

    private func reportOutcomes() {
        guard !outcomes.outcomes.isEmpty else { return }
        let ready = outcomes
        outcomes = HTTP2Outcomes()
        report(ready)
    }

    /// Fails all requests. The end is reported before their outcomes, so that nobody retries on this connection.
    private func end(in last: Phase) {
        let isNews = phase < .broken
        phase = last
        failQueue()
        for tag in machine.closeStreams(above: 0) { outcomes.fail(tag, .undecided, because: reason) }
        if isNews { events(.closed(reason)) }
        answerQuestions(nil)
        reportOutcomes()
    }

    private func failQueue() {
        let lost = queue
        queue = CircularBuffer()
        for queued in lost {
            for request in queued.batch.requests[queued.next...] {
                outcomes.fail(request.tag, .notProcessed, because: reason)
            }
        }
    }

    private func closeIfDone() {
        guard phase != .open, phase != .closed, machine.openStreams == 0, let context else { return }
        send(context)
        context.close(promise: nil)
    }
}
