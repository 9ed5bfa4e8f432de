import NIOCore
import NIOHTTP1

/// Ends a connection whose other end does not read an answer in its time.
///
/// What is read bit by bit does not extend it: an answer takes memory until it is read.
final class ResponseDeadlineHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limit: TimeAmount
    private var deadline: ReusableDeadline?
    /// Answers that have begun and of which something waits to be sent.
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

    /// An answer is with the system.
    private func sentOne(_ loop: any EventLoop) {
        unsent -= 1
        deadline?.lift()
        if unsent > 0 { deadline?.set(on: loop) }
    }
}
