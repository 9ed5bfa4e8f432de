import DeviceLink
import NIOCore
import NIOWebSocket
import NetworkSupport

/// Turns the frames of one WebSocket into ``LinkEvent``s: assembles fragments, answers pings, keeps the heartbeat and
/// performs the closing handshake.
///
/// A server's end reads only while its own output drains, so a peer that sends without reading uses no memory here. A
/// client's end reads whatever its output does, so that two ends never wait for each other.
///
/// Both ends pause after a read of many frames, and end a link that sends too many frames without content.
///
/// A peer's error ends the link with the close code of RFC 6455, section 7.4.1: 1002 for a protocol violation, 1003 for
/// binary frames, 1007 for text that is not UTF-8, 1008 for too many frames without content, 1009 for a message that is too large.
final class LinkChannelHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let link: WebSocketLink
    private let configuration: LinkConfiguration
    private let start: (WebSocketLink) -> @Sendable (LinkEvent) -> Void
    private var context: ChannelHandlerContext?
    /// The context through which encoded frames are written.
    private var encoder: ChannelHandlerContext?
    private var handler: (@Sendable (LinkEvent) -> Void)?

    private var message: ByteBuffer?
    private var isReadWanted = false
    /// The allowance for frames without content.
    private var chatter: Allowance
    /// The frames since the last read ended.
    private var framesOfRead = 0
    /// Resumes reading after a read of many frames.
    private var pause: Scheduled<Void>?
    /// Whether the link ends because of too many frames without content.
    private var isFlooded = false
    private var isPongUnderWay = false
    /// The payload of the newest ping, while the answer to an earlier one is still being sent.
    private var nextPong: ByteBuffer?
    /// Bytes that were still waiting at the last heartbeat.
    private var lastWaiting = 0
    private var unauthenticatedTimer: Scheduled<Void>?
    private var lastHeard = NIODeadline.now()
    private var lastPing = NIODeadline.now()
    private var heartbeat: Scheduled<Void>?
    private var forcedClose: Scheduled<Void>?
    private var saidGoodbye = false
    private var reason = "The other end closed the connection."

    /// `start` is called when the link is open; returns the handler for its events.
    init(
        link: WebSocketLink,
        configuration: LinkConfiguration,
        start: @escaping (WebSocketLink) -> @Sendable (LinkEvent) -> Void
    ) {
        self.link = link
        self.configuration = configuration
        self.start = start
        chatter = Allowance(configuration.chatter)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        lastHeard = context.eventLoop.now
        lastPing = lastHeard
        encoder = try? context.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
        self.context = context
        let isWanted = link.open(on: context.channel, self)
        handler = start(link)
        scheduleHeartbeat(context)
        if !link.isClient, !link.isAdmitted, let time = configuration.unauthenticatedTime {
            unauthenticatedTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
                // It may have authenticated in this turn of the loop.
                guard !self.link.isAdmitted else { return }
                self.sayGoodbye(.policyViolation, because: "The other end did not authenticate in time.", context)
            }
        }
        if !isWanted { sayGoodbye(.normalClosure, because: "The link was closed before it was open.", context) }
        if !context.channel.isActive { end() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    /// Writes an item, which leaves with the next ``flush(_:)``.
    func write(_ item: LinkOutbound) {
        switch item {
        case .frame(let frame): context?.write(wrapOutboundOut(frame), promise: nil)
        case .encoded(let bytes): encoder?.write(NIOAny(bytes), promise: nil)
        }
    }

    /// Passes the written items to the network.
    func flush() { encoder?.flush() }

    /// Passes the written items to the network; `written` completes when all of them have been.
    func flush(_ written: EventLoopPromise<Void>) {
        guard let encoder else { return written.fail(ChannelError.alreadyClosed) }
        encoder.writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reason = "The connection failed: \(NetworkWords.reason(of: error))."
        // NIO's protocol error handler has answered a frame that cannot be decoded; it also closes.
        if !(error is NIOWebSocketError) { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        lastHeard = context.eventLoop.now
        framesOfRead += 1
        guard !saidGoodbye || frame.opcode == .connectionClose else { return }
        // RFC 6455, section 5.1: a client masks every frame, a server none.
        guard (frame.maskKey == nil) == link.isClient, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            sayGoodbye(.protocolError, because: "The other end violated the WebSocket protocol.", context)
            return
        }
        guard !isWithoutContent(frame) || chatter.take(at: lastHeard.uptimeNanoseconds / 1_000_000) else {
            isFlooded = true
            sayGoodbye(.policyViolation, because: "The other end sent too many frames without content.", context)
            return
        }
        switch frame.opcode {
        case .text, .continuation: assemble(frame, context)
        case .binary:
            sayGoodbye(.unacceptableData, because: "The other end sent a binary frame; frames are text.", context)
        case .ping: answerPing(frame.unmaskedData, context)
        case .pong: break
        case .connectionClose: answerGoodbye(frame, context)
        default: sayGoodbye(.protocolError, because: "The other end sent a frame of an unknown kind.", context)
        }
    }

    /// Closes the link with a code.
    func close(_ code: WebSocketErrorCode) {
        if let context { sayGoodbye(code, because: "This end closed the link.", context) }
    }

    /// Sends a ping without content.
    func ping() {
        guard let context, !saidGoodbye else { return }
        write(.ping, context.channel.allocator.buffer(capacity: 0), on: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? UnauthenticatedByteLimit.Exceeded else {
            return context.fireUserInboundEventTriggered(event)
        }
        let why = "The other end sent more than \(event.limit) bytes before it authenticated."
        sayGoodbye(.policyViolation, because: why, context)
    }

    // MARK: - Reading

    func read(context: ChannelHandlerContext) {
        if mayRead(context) {
            context.read()
        } else {
            isReadWanted = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // Pending output has left, so the peer is alive.
        if context.channel.isWritable { lastHeard = context.eventLoop.now }
        read()
        context.fireChannelWritabilityChanged()
    }

    private func mayRead(_ context: ChannelHandlerContext) -> Bool {
        guard pause == nil, !link.isReadingHeld else { return false }
        return link.isClient || context.channel.isWritable && nextPong == nil
    }

    /// Pauses after a read of many frames.
    func channelReadComplete(context: ChannelHandlerContext) {
        let portions = framesOfRead / configuration.framesPerRead
        framesOfRead = 0
        if isFlooded || portions > 0, pause == nil {
            let time = isFlooded ? configuration.closeTimeout : configuration.readPause * portions
            pause = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
                self.pause = nil
                self.read()
            }
        }
        context.fireChannelReadComplete()
    }

    /// Whether a frame has nothing for the owner of the link, and brings it no nearer to a message.
    private func isWithoutContent(_ frame: WebSocketFrame) -> Bool {
        switch frame.opcode {
        case .ping, .pong: true
        case .text, .continuation:
            if frame.fin {
                frame.length == 0 && (message?.readableBytes ?? 0) == 0
            } else {
                frame.length < configuration.fragmentBytes
            }
        default: false
        }
    }

    /// Resumes a deferred read if its reason is gone.
    func read() {
        guard isReadWanted, let context, mayRead(context) else { return }
        isReadWanted = false
        context.read()
    }

    /// Marks the other end as authenticated.
    func admit() {
        unauthenticatedTimer?.cancel()
        unauthenticatedTimer = nil
        guard let context else { return }
        if let limit = try? context.pipeline.syncOperations.handler(type: UnauthenticatedByteLimit.self) {
            limit.isOver = true
        }
    }

    /// Answers a ping. RFC 6455, section 5.5.3: of the pings that arrive before the answer to an earlier one has left,
    /// only the last needs an answer. At most one answer is therefore being sent and one waits, and while one waits
    /// nothing more is read.
    private func answerPing(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isPongUnderWay else {
            nextPong = data
            return
        }
        isPongUnderWay = true
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.isPongUnderWay = false
            guard let data = self.nextPong, let context = self.context, !self.saidGoodbye else { return }
            self.nextPong = nil
            self.answerPing(data, context)
            self.read()
        }
        write(.pong, data, on: context, promise: written)
    }

    private func assemble(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        guard (frame.opcode == .text) == (message == nil) else {
            sayGoodbye(.protocolError, because: "The other end sent the fragments of a message out of order.", context)
            return
        }
        var fragment = frame.unmaskedData
        guard (message?.readableBytes ?? 0) + fragment.readableBytes <= LinkConfiguration.messageBytes else {
            let limit = LinkConfiguration.messageBytes
            sayGoodbye(.messageTooLarge, because: "A message is larger than \(limit) bytes.", context)
            return
        }
        if message == nil {
            message = fragment
        } else {
            message?.writeBuffer(&fragment)
        }
        guard frame.fin, let whole = message else { return }
        message = nil
        if whole.readableBytes > 0 { chatter.earn(configuration.chatterPerMessage) }
        guard let text = String(validating: whole.readableBytesView, as: UTF8.self) else {
            sayGoodbye(.dataInconsistentWithMessage, because: "A text message is not UTF-8.", context)
            return
        }
        handler?(.received(text))
    }

    // MARK: - Heartbeat

    private func scheduleHeartbeat(_ context: ChannelHandlerContext) {
        let interval = TimeAmount.nanoseconds(configuration.pingInterval.nanoseconds / 2)
        heartbeat = context.eventLoop.assumeIsolated().scheduleTask(in: interval) { self.beat(context) }
    }

    private func beat(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        if isReadWanted { noteProgress(now, context) }
        if now - lastHeard >= configuration.silence {
            reason = "Nothing was received for \(configuration.silence.nanoseconds / 1_000_000_000) seconds."
            context.close(promise: nil)
            return
        }
        if !link.isClient, now - lastPing >= configuration.pingInterval {
            lastPing = now
            ping()
        }
        scheduleHeartbeat(context)
    }

    /// Notes signs of life. While nothing is read, the other end counts as alive as long as output leaves, or as long
    /// as this end is the slow one.
    private func noteProgress(_ now: NIODeadline, _ context: ChannelHandlerContext) {
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if waiting < lastWaiting || context.channel.isWritable { lastHeard = now }
        lastWaiting = waiting
    }

    // MARK: - Ending

    private func sayGoodbye(_ code: WebSocketErrorCode, because why: String, _ context: ChannelHandlerContext) {
        guard !saidGoodbye else { return }
        saidGoodbye = true
        reason = why
        var data = context.channel.allocator.buffer(capacity: 2)
        data.write(webSocketErrorCode: code)
        write(.connectionClose, data, on: context)
        forcedClose = context.eventLoop.assumeIsolated().scheduleTask(in: configuration.closeTimeout) {
            context.close(promise: nil)
        }
    }

    private func answerGoodbye(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        if !saidGoodbye {
            saidGoodbye = true
            var data = frame.unmaskedData
            if let code = data.readWebSocketErrorCode() {
                reason = "The other end closed the link with code \(UInt16(webSocketErrorCode: code))."
            }
            write(.connectionClose, frame.unmaskedData, on: context)
        }
        context.close(promise: nil)
    }

    private func end() {
        heartbeat?.cancel()
        pause?.cancel()
        forcedClose?.cancel()
        unauthenticatedTimer?.cancel()
        link.end()
        context = nil
        encoder = nil
        guard let handler else { return }
        self.handler = nil
        handler(.closed(reason))
    }

    private func write(
        _ opcode: WebSocketOpcode,
        _ data: ByteBuffer,
        on context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>? = nil
    ) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: link.isClient ? .random() : nil, data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }
}
