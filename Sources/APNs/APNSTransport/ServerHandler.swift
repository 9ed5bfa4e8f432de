import NIOCore
import NIOHPACK
import NIOHTTP2

/// Turns the HTTP/2 frames of one provider connection into requests, and answers into frames.
///
/// Works on whole frames, without a channel per stream: a request has one small body and one answer. An answer without
/// body is one HEADERS frame with END_STREAM, one with a body is HEADERS and exactly one DATA frame: real client
/// libraries depend on both (apns.md, section 0).
final class ServerHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = Never
    typealias OutboundOut = HTTP2Frame

    struct GoAway: Sendable {
        var lastStreamID: Int?
        var errorCode: Int
        var debugData: [UInt8]
    }
    struct Reset: Sendable {
        var streamID: Int
        var errorCode: Int
    }
    struct StreamLimit: Sendable {
        var limit: Int
    }
    struct ShutDown: Sendable {}

    private struct Incoming {
        var request: APNSRequest
        var isComplete = false
        /// Bytes received since the stream's window was last widened.
        var consumed = 0
    }

    private let configuration: APNSServer.Configuration
    private let exchange: any APNSExchange
    private var streams: [HTTP2StreamID: Incoming] = [:]
    private var consumed = 0
    private var isReading = false
    private var needsFlush = false
    private var isShuttingDown = false
    /// What GOAWAY has said; it may only ever get lower (RFC 9113, section 6.8).
    private var lastStream: HTTP2StreamID?
    private var lateClose: Scheduled<Void>?

    init(configuration: APNSServer.Configuration, exchange: any APNSExchange) {
        self.configuration = configuration
        self.exchange = exchange
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { widenConnection(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        widenConnection(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        lateClose?.cancel()
        streams = [:]
        exchange.closed()
        context.fireChannelInactive()
    }

    /// aioapns raises an error rather than wait when the connection's window is used up, so it is made wide at once.
    private func widenConnection(_ context: ChannelHandlerContext) {
        let increment = configuration.connectionWindowBytes - 65_535
        write(.windowUpdate(windowSizeIncrement: increment), on: .rootStream, context)
        context.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers): received(headers, on: frame.streamID, context)
        case .data(let data): received(data, on: frame.streamID, context)
        case .rstStream: forget(frame.streamID, context)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if needsFlush {
            needsFlush = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let closed = event as? StreamClosedEvent, closed.reason != nil { forget(closed.streamID, context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A malformed stream has been reset by the codec, a malformed connection is closed by it; neither ends here.
        switch error {
        case is NIOHTTP2Errors.StreamError, is NIOHTTP2Errors.NoSuchStream: break
        // After GOAWAY the other side's last frames still arrive, and the codec takes them for errors: an immediate close
        // would cost it the last answers.
        case _ where lastStream != nil: closeSoon(context)
        default: context.close(promise: nil)
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let wish as GoAway: goAway(wish, context)
        case let wish as Reset:
            let stream = HTTP2StreamID(wish.streamID)
            if streams.removeValue(forKey: stream) != nil {
                write(.rstStream(HTTP2ErrorCode(networkCode: wish.errorCode)), on: stream, context)
            }
        case let wish as StreamLimit:
            let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: wish.limit)
            write(.settings(.settings([setting])), on: .rootStream, context)
        case is ShutDown:
            isShuttingDown = true
            goAway(GoAway(lastStreamID: nil, errorCode: 0, debugData: Array(#"{"reason":"Shutdown"}"#.utf8)), context)
            closeIfDone(context)
        default:
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        context.flush()
        promise?.succeed()
    }

    // MARK: - Requests

    private func received(
        _ headers: HTTP2Frame.FramePayload.Headers,
        on stream: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        if streams[stream] == nil {
            var request = APNSRequest(method: "", path: "", headers: [], body: [])
            request.streamID = Int(stream)
            for (name, value, _) in headers.headers {
                switch name {
                case ":method": request.method = value
                case ":path": request.path = value
                case _ where name.hasPrefix(":"): break
                default: request.headers.append((name: name, value: value))
                }
            }
            streams[stream] = Incoming(request: request)
        }
        // A second block is trailers: they mean nothing here, but they may end the request.
        if headers.endStream { complete(stream, context) }
    }

    private func received(
        _ data: HTTP2Frame.FramePayload.Data,
        on stream: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(let buffer) = data.data else { return }
        let flowControlled = buffer.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        consumed += flowControlled
        if consumed >= configuration.connectionWindowBytes / 2 {
            write(.windowUpdate(windowSizeIncrement: consumed), on: .rootStream, context)
            consumed = 0
        }
        guard var incoming = streams.removeValue(forKey: stream) else { return }
        incoming.request.bodyBytes += buffer.readableBytes
        let room = configuration.bodyBytes - incoming.request.body.count
        incoming.request.body.append(contentsOf: buffer.readableBytesView.prefix(max(0, room)))
        incoming.consumed += flowControlled
        if !data.endStream, incoming.consumed >= configuration.streamWindowBytes / 2 {
            write(.windowUpdate(windowSizeIncrement: incoming.consumed), on: stream, context)
            incoming.consumed = 0
        }
        streams[stream] = incoming
        if data.endStream { complete(stream, context) }
    }

    private func complete(_ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard var incoming = streams[stream], !incoming.isComplete else { return }
        incoming.isComplete = true
        let request = incoming.request
        incoming.request.body = []
        streams[stream] = incoming
        let this = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        exchange.respond(to: request) { answer in
            if eventLoop.inEventLoop {
                this.value.handler.answer(answer, on: stream, this.value.context)
            } else {
                eventLoop.execute { this.value.handler.answer(answer, on: stream, this.value.context) }
            }
        }
    }

    private func forget(_ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        streams[stream] = nil
        closeIfDone(context)
    }

    // MARK: - Answers

    private func answer(_ answer: APNSAnswer, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard streams.removeValue(forKey: stream) != nil else { return }
        var headers = HPACKHeaders()
        headers.reserveCapacity(answer.headers.count + 1)
        headers.add(name: ":status", value: String(answer.status))
        for (name, value) in answer.headers {
            headers.add(name: name, value: value, indexing: name == "apns-id" ? .nonIndexable : .indexable)
        }
        write(.headers(.init(headers: headers, endStream: answer.body.isEmpty)), on: stream, context)
        if !answer.body.isEmpty {
            let body = context.channel.allocator.buffer(bytes: answer.body)
            write(.data(.init(data: .byteBuffer(body), endStream: true)), on: stream, context)
        }
        if isReading { needsFlush = true } else { context.flush() }
        closeIfDone(context)
    }

    private func goAway(_ wish: GoAway, _ context: ChannelHandlerContext) {
        let last = min(wish.lastStreamID.map { HTTP2StreamID($0) } ?? .maxID, lastStream ?? .maxID)
        lastStream = last
        streams = streams.filter { $0.key <= last }
        let debugData = context.channel.allocator.buffer(bytes: wish.debugData)
        let code = HTTP2ErrorCode(networkCode: wish.errorCode)
        write(.goAway(lastStreamID: last, errorCode: code, opaqueData: debugData), on: .rootStream, context)
    }

    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard isShuttingDown, streams.isEmpty else { return }
        isShuttingDown = false
        context.flush()
        closeSoon(context)
    }

    /// Leaves it to the other side to close when it has read its answers; a close from here could overtake them.
    private func closeSoon(_ context: ChannelHandlerContext) {
        guard lateClose == nil else { return }
        lateClose = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { context.close(promise: nil) }
    }

    private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }
}
