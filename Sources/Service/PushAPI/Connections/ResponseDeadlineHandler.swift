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
            begin(context.eventLoop)
            context.write(data, promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end:
            let sent = promise ?? context.eventLoop.makePromise()
            end(sent, context.eventLoop)
            context.write(data, promise: sent)
        }
    }

    /// Starts the deadline of a response that is written at once, past this handler.
    ///
    /// - Returns: the promise to write it with.
    func beginWhole(on loop: any EventLoop) -> EventLoopPromise<Void> {
        let sent = loop.makePromise(of: Void.self)
        begin(loop)
        end(sent, loop)
        return sent
    }

    private func begin(_ loop: any EventLoop) {
        unsent += 1
        deadline?.set(on: loop)
    }

    private func end(_ sent: EventLoopPromise<Void>, _ loop: any EventLoop) {
        sent.futureResult.assumeIsolated().whenComplete { _ in self.sentOne(loop) }
    }

    /// Called when a response has been passed to the system.
    private func sentOne(_ loop: any EventLoop) {
        unsent -= 1
        deadline?.lift()
        if unsent > 0 { deadline?.set(on: loop) }
    }
}
