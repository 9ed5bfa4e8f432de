import NIOCore

/// Ends a request that has not come whole in its time, which begins with its first byte. What trickles in does not extend it.
///
/// It stands before the decoder of HTTP: what has come of a head shows nowhere else.
final class RequestDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let headLimit: TimeAmount
    private let limit: TimeAmount
    private let messages: MalformedRequestHandler
    private var head: ReusableDeadline?
    private var whole: ReusableDeadline?
    private var ended = 0

    /// Of the parameters:
    /// * `head`: for the head of a request.
    /// * `whole`: for the head and the body.
    /// * `messages`: knows where requests end.
    init(head: TimeAmount, whole: TimeAmount, messages: MalformedRequestHandler) {
        headLimit = min(head, whole)
        limit = whole
        self.messages = messages
    }

    func handlerAdded(context: ChannelHandlerContext) {
        head = ReusableDeadline(headLimit) { [unowned self] in expire("head", headLimit, context) }
        whole = ReusableDeadline(limit) { [unowned self] in expire("body", limit, context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // They hold the context.
        head?.cancel()
        whole?.cancel()
        (head, whole) = (nil, nil)
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
            // What came of the next request, if anything did, counts from here on.
            if messages.isReading { whole?.set(on: loop) }
        } else if messages.isReading {
            head?.lift()
        }
    }

    private func expire(_ part: String, _ limit: TimeAmount, _ context: ChannelHandlerContext) {
        if messages.isOwingEarlierAnswer {
            // Nothing more is read while a request before it waits for its answer: that is not the client's doing.
            (messages.isReading ? whole : head)?.set(on: context.eventLoop)
        } else {
            context.fireErrorCaught(RequestTookTooLong(part: part, limit: limit))
        }
    }
}

/// A request of which the rest did not come.
struct RequestTookTooLong: Error, CustomStringConvertible {
    /// "head" or "body".
    var part: String
    var limit: TimeAmount

    var description: String {
        "The \(part) of the request was not there \(limit.nanoseconds / 1_000_000) ms after its first byte."
    }
}
