import NIOCore
import NIOHPACK
import NIOHTTP2

/// Puts requests on the streams of one connection and takes the answers off them.
///
/// Requests beyond the announced stream limit wait in line. Each request ends exactly once.
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = Never
    typealias OutboundOut = HTTP2Frame

    typealias Outcome = Result<APNSAnswer, APNSStreamFailure>

    struct Outgoing {
        var id: UInt64
        var request: APNSRequest
        var answer = APNSAnswer(status: 0, headers: [])
        var finish: @Sendable (Outcome) -> Void
    }

    private static let unindexed: Set = ["authorization", "apns-id", "apns-expiration", "apns-collapse-id"]

    private let authority: String
    private let events: @Sendable (APNSConnection.Event) -> Void
    private var context: ChannelHandlerContext?
    private var waiting = CircularBuffer<Outgoing>()
    private var open: [HTTP2StreamID: Outgoing] = [:]
    /// RFC 9113 lets a client open streams before it has heard a limit; we hear it first.
    private var limit: Int?
    private var nextStream = 1
    private var hasAnswered = false
    private var isLeaving = false
    private var isClosed = false
    private var isFlushScheduled = false
    private var consumed = 0
    private var reason = "the connection was closed by the other side"

    init(authority: String, events: @escaping @Sendable (APNSConnection.Event) -> Void) {
        self.authority = authority
        self.events = events
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: - Requests

    func start(_ outgoing: Outgoing) {
        guard !isLeaving, !isClosed else {
            outgoing.finish(.failure(APNSStreamFailure(.notProcessed, reason)))
            return
        }
        waiting.append(outgoing)
        openStreams()
    }

    /// Gives up on a request: the caller does not wait any longer.
    func abandon(_ id: UInt64, reason: String) {
        if let place = waiting.firstIndex(where: { $0.id == id }) {
            let outgoing = waiting.remove(at: place)
            outgoing.finish(.failure(APNSStreamFailure(.notProcessed, reason)))
        } else if let stream = open.first(where: { $0.value.id == id })?.key {
            write(.rstStream(.cancel), on: stream)
            finish(stream, .failure(APNSStreamFailure(.undecided, reason)))
        }
    }

    /// No more requests; closes when the open ones are answered.
    func leave(_ why: String) {
        guard !isLeaving else { return }
        isLeaving = true
        reason = why
        failWaiting()
        closeIfDone()
    }

    private func openStreams() {
        guard let limit, !isLeaving else { return }
        while open.count < limit, let outgoing = waiting.popFirst() {
            guard nextStream <= Int(Int32.max) else {
                waiting.prepend(outgoing)
                leave("the stream numbers of the connection are used up")
                return
            }
            let stream = HTTP2StreamID(nextStream)
            nextStream += 2
            let request = outgoing.request
            open[stream] = outgoing
            write(.headers(.init(headers: headers(of: request), endStream: request.body.isEmpty)), on: stream)
            if !request.body.isEmpty, let context {
                let body = context.channel.allocator.buffer(bytes: request.body)
                write(.data(.init(data: .byteBuffer(body), endStream: true)), on: stream)
            }
        }
    }

    private func headers(of request: APNSRequest) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(request.headers.count + 4)
        headers.add(name: ":method", value: request.method)
        headers.add(name: ":scheme", value: "https")
        // Source: Apple, "Sending notification requests to APNs", read October 2026: the path is different each time and
        // should not fill the table.
        headers.add(name: ":path", value: request.path, indexing: .nonIndexable)
        headers.add(name: ":authority", value: authority)
        for (name, value) in request.headers {
            headers.add(name: name, value: value, indexing: Self.unindexed.contains(name) ? .nonIndexable : .indexable)
        }
        return headers
    }

    // MARK: - Answers

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers): received(headers, on: frame.streamID)
        case .data(let data): received(data, on: frame.streamID)
        case .rstStream(let code): reset(frame.streamID, code)
        case .settings(.settings(let settings)): received(settings)
        case .goAway(let last, let code, let data):
            received(APNSGoAway(last, code, data))
        default: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A stream that our own codec gave up. `cancel` stands for RST_STREAM and GOAWAY too: those frames follow.
        if let closed = event as? StreamClosedEvent, let code = closed.reason, code != .cancel {
            reset(closed.streamID, code)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is NIOHTTP2Errors.StreamError || error is NIOHTTP2Errors.NoSuchStream { return }
        reason = "the connection failed: \(error)"
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        failWaiting()
        for stream in open.keys.sorted() {
            finish(stream, .failure(APNSStreamFailure(.undecided, reason)))
        }
        events(.closed(reason))
        context.fireChannelInactive()
    }

    private func received(_ headers: HTTP2Frame.FramePayload.Headers, on stream: HTTP2StreamID) {
        guard open[stream] != nil else { return }
        for (name, value, _) in headers.headers {
            if name == ":status" {
                open[stream]?.answer.status = Int(value) ?? 0
            } else {
                open[stream]?.answer.headers.append((name: name, value: value))
            }
        }
        if headers.endStream { complete(stream) }
    }

    private func received(_ data: HTTP2Frame.FramePayload.Data, on stream: HTTP2StreamID) {
        guard case .byteBuffer(let buffer) = data.data else { return }
        consumed += buffer.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        if consumed >= 16_384 {
            write(.windowUpdate(windowSizeIncrement: consumed), on: .rootStream)
            consumed = 0
        }
        // An answer is a reason and a date; what goes beyond 16 KiB is not kept.
        if let kept = open[stream]?.answer.body.count, kept < 16_384 {
            open[stream]?.answer.body.append(contentsOf: buffer.readableBytesView)
        }
        if data.endStream { complete(stream) }
    }

    private func complete(_ stream: HTTP2StreamID) {
        guard let answer = open[stream]?.answer else { return }
        if !hasAnswered {
            hasAnswered = true
            events(.answered)
        }
        finish(stream, .success(answer))
    }

    private func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        let fate: APNSStreamFailure.Fate = code == .refusedStream ? .refused : .undecided
        finish(stream, .failure(APNSStreamFailure(fate, "the stream was reset: \(code)")))
    }

    private func received(_ settings: HTTP2Settings) {
        for setting in settings where setting.parameter == .maxConcurrentStreams { limit = setting.value }
        if limit == nil { limit = 100 }
        events(.settings(streamLimit: limit ?? 100))
        openStreams()
    }

    private func received(_ goAway: APNSGoAway) {
        isLeaving = true
        reason = "GOAWAY \(goAway.text)"
        events(.goAway(goAway))
        for stream in open.keys.sorted() where Int(stream) > goAway.lastStreamID {
            finish(stream, .failure(APNSStreamFailure(.notProcessed, reason)))
        }
        failWaiting()
        closeIfDone()
    }

    // MARK: - Ending

    private func finish(_ stream: HTTP2StreamID, _ outcome: Outcome) {
        guard let outgoing = open.removeValue(forKey: stream) else { return }
        outgoing.finish(outcome)
        openStreams()
        closeIfDone()
    }

    private func failWaiting() {
        let lost = waiting
        waiting = CircularBuffer()
        for outgoing in lost { outgoing.finish(.failure(APNSStreamFailure(.notProcessed, reason))) }
    }

    private func closeIfDone() {
        guard isLeaving, open.isEmpty, !isClosed, let context else { return }
        context.close(promise: nil)
    }

    private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID) {
        guard let context, !isClosed else { return }
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        // One flush for all requests that arrive in this turn of the loop.
        context.eventLoop.assumeIsolated().execute {
            self.isFlushScheduled = false
            if !self.isClosed { self.context?.flush() }
        }
    }
}

extension APNSGoAway {
    fileprivate init(_ last: HTTP2StreamID, _ code: HTTP2ErrorCode, _ data: ByteBuffer?) {
        self.init(
            lastStreamID: Int(last),
            errorCode: Int(code.networkCode),
            debugData: data.map { Array($0.readableBytesView) } ?? []
        )
    }
}
