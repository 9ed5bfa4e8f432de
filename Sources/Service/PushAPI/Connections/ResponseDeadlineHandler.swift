import NIOCore
import NIOHTTP1

/// Closes a connection whose client does not read a response within a time limit.
///
/// Partial reads do not extend the limit: a response takes memory until it is read.
final class ResponseDeadlineHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limit: TimeAmount
    private var deadline: ReusableDeadline?
    /// Responses that were started and are not completely sent.
    private var unsent = 0

    init(limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = ReusableDeadline(limit) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code >= 200:
            unsent += 1
            deadline?.set(on: context.eventLoop)
            context.write(data, promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end:
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.sentOne(context.eventLoop) }
            context.write(data, promise: sent)
        }
    }

    /// Called when a response has been passed to the system.
    private func sentOne(_ loop: any EventLoop) {
        unsent -= 1
        deadline?.lift()
        if unsent > 0 { deadline?.set(on: loop) }
    }
}
