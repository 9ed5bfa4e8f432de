import NIOCore

/// Ends a request that is not complete within a time limit, which starts at its first byte and is not extended by further bytes.
///
/// It precedes the HTTP decoder, because a partial head is not visible after it.
final class RequestDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let headLimit: TimeAmount
    private let limit: TimeAmount
    private let messages: MalformedRequestHandler
    private var head: ReusableDeadline?
    private var whole: ReusableDeadline?
    private var ended = 0

    /// Limits the time for the head of a request, and for head and body; `messages` detects the ends of requests.
    init(head: TimeAmount, whole: TimeAmount, messages: MalformedRequestHandler) {
        headLimit = min(head, whole)
        limit = whole
        self.messages = messages
    }

    func handlerAdded(context: ChannelHandlerContext) {
        head = ReusableDeadline(headLimit) { [unowned self] in expire("head", after: headLimit, context: context) }
        whole = ReusableDeadline(limit) { [unowned self] in expire("body", after: limit, context: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // They retain the context.
        head?.cancel()
        whole?.cancel()
        head = nil
        whole = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let loop = context.eventLoop
        if !messages.isReading { head?.set(on: loop) }
        whole?.set(on: loop)
        context.fireChannelRead(data)
        if messages.ended != ended {
            ended = messages.ended
            head?.lift()
            whole?.lift()
            // The limit of the next request, if part of it has arrived, starts here.
            if messages.isReading { whole?.set(on: loop) }
        } else if messages.isReading {
            head?.lift()
        }
    }

    private func expire(_ part: String, after limit: TimeAmount, context: ChannelHandlerContext) {
        if messages.isOwingEarlierAnswer {
            // Nothing more is read while an earlier request waits for its response, which is not the client's fault.
            (messages.isReading ? whole : head)?.set(on: context.eventLoop)
        } else {
            context.fireErrorCaught(RequestTookTooLong(part: part, limit: limit))
        }
    }
}

/// The error for a request that did not arrive completely in time.
struct RequestTookTooLong: Error, CustomStringConvertible {
    /// "head" or "body".
    var part: String
    var limit: TimeAmount

    var description: String {
        "The \(part) of the request was not complete \(limit.nanoseconds / 1_000_000) ms after its first byte."
    }
}
