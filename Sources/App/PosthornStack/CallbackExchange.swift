import Foundation
import NIOCore
import NIOHTTP1

/// A request on a connection that is kept open.
struct CallbackExchange: Sendable {
    struct Answer: Sendable {
        var status: HTTPResponseStatus
        var isReusable: Bool
    }

    /// The error if the connection ended before an answer.
    struct Unanswered: LocalizedError {
        var errorDescription: String? { "the connection ended before the answer" }
    }

    /// The error if there was no answer in time.
    struct TimedOut: LocalizedError {
        var errorDescription: String? { "there was no answer in time" }
    }

    var head: HTTPRequestHead
    var body: ByteBuffer
    var limit: TimeAmount
    var answer: EventLoopPromise<Answer>
}

/// Sends one request after the other on a connection, and discards the bodies of answers.
final class CallbackHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = CallbackExchange
    typealias OutboundOut = HTTPClientRequestPart

    /// The number of bytes of a body that are read to keep the connection.
    private static let mostBytes = 16_384
    /// The time for a body.
    private static let bodyTime = TimeAmount.seconds(1)
    /// The time after which an idle connection is closed, less than that of common servers.
    static let idleTime = TimeAmount.seconds(4)

    private var promise: EventLoopPromise<CallbackExchange.Answer>?
    private var head: HTTPResponseHead?
    private var bytes = 0
    private var timer: Scheduled<Void>?
    /// Changes with each timer: NIO also runs a task that another one of the same turn of the event loop has cancelled.
    private var timers = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        // A server may answer and close before it has read everything; the answer counts.
        promise?.succeed()
        guard context.channel.isActive else { return exchange.answer.fail(CallbackExchange.Unanswered()) }
        self.promise = exchange.answer
        head = nil
        bytes = 0
        schedule(in: exchange.limit, context) { handler, context in
            handler.end(.failure(CallbackExchange.TimedOut()), context)
        }
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(exchange.body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            schedule(in: Self.bodyTime, context) { $0.answered(isComplete: false, $1) }
        case .body(let part):
            bytes += part.readableBytes
            if bytes > Self.mostBytes { answered(isComplete: false, context) }
        case .end: answered(isComplete: true, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answered(isComplete: false, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard head == nil else { return answered(isComplete: false, context) }
        // An error of the connection, and none of the answer.
        end(.failure(error is IOError ? CallbackExchange.Unanswered() : error), context)
    }

    /// Ends the exchange with the head that has come; without one there was no answer.
    private func answered(isComplete: Bool, _ context: ChannelHandlerContext) {
        guard let head else { return end(.failure(CallbackExchange.Unanswered()), context) }
        let isReusable = isComplete && head.isKeepAlive && context.channel.isActive
        end(.success(.init(status: head.status, isReusable: isReusable)), context)
    }

    private func end(_ result: Result<CallbackExchange.Answer, any Error>, _ context: ChannelHandlerContext) {
        cancelTimer()
        let ended = promise
        promise = nil
        head = nil
        if case .success(let answer) = result, answer.isReusable, ended != nil {
            schedule(in: Self.idleTime, context) { $1.close(promise: nil) }
        } else {
            context.close(promise: nil)
        }
        ended?.completeWith(result)
    }

    private func schedule(
        in time: TimeAmount,
        _ context: ChannelHandlerContext,
        _ body: @escaping (CallbackHandler, ChannelHandlerContext) -> Void
    ) {
        cancelTimer()
        let own = timers
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            if self.timers == own { body(self, context) }
        }
    }

    private func cancelTimer() {
        timer?.cancel()
        timer = nil
        timers += 1
    }
}
