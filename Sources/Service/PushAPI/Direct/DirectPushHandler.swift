import NIOCore
import NIOHTTP1
import NetworkSupport
import PushService

/// Answers small pushes on the event loop that reads them, without a task; all other requests are passed on unchanged.
///
/// A task for each push, and its thread hops, would cost several times the work itself. Requests that ``DirectPushes`` does not
/// accept are passed on whole; the only visible difference is the latency. Responses keep the order of requests: a push is
/// accepted only while no earlier request waits for its response, and input received meanwhile is held.
final class DirectPushHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The idle timeout of a connection after its last response, or in the middle of a request.
    static let idle = TimeAmount.seconds(600)

    /// The number of parts of later requests that may be held; beyond it, reading stops until the response.
    private static let heldParts = 32

    private enum State {
        /// Input is passed on; no direct push is pending.
        case passing
        /// A push is being read.
        case reading(HTTPRequestHead, DirectPushes.Caller, ByteBuffer)
        /// A push is waiting for the disk.
        case waiting
    }

    private enum Held {
        case part(HTTPServerRequestPart)
        /// Passed on earlier, it would end the connection before the response.
        case inputClosed
    }

    private let pushes: DirectPushes
    private let batcher: DirectPushBatcher
    private let hosts: HostRule
    private var admittedHost: String?
    private let malformed: MalformedRequestHandler
    private let deadline: ResponseDeadlineHandler
    private var context: ChannelHandlerContext?
    /// The context through which encoded responses are written.
    private var encoder: ChannelHandlerContext?
    private var state = State.passing
    /// Requests that were passed on and whose responses are not complete.
    private var passed = 0
    /// Whether the input is between the head of a request and its end.
    private var isReading = false
    /// Whether something was passed on since the end of the last read.
    private var hasFired = false
    private var held: [Held] = []
    /// Whether the server is shutting down and later handlers have not been notified yet: they would close the connection
    /// before its pushes are answered.
    private var quiesces = false
    /// The end of the last response.
    private var lastAnswer = NIODeadline.now()
    private var wantsRead = false

    /// Creates the handler of a connection, with the batcher of its event loop, and the two handlers that count responses, which
    /// it writes past them.
    init(
        _ pushes: DirectPushes,
        batcher: DirectPushBatcher,
        hosts: HostRule,
        malformed: MalformedRequestHandler,
        deadline: ResponseDeadlineHandler
    ) {
        self.pushes = pushes
        self.batcher = batcher
        self.hosts = hosts
        self.malformed = malformed
        self.deadline = deadline
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        encoder = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch part {
        case .head: isReading = true
        case .body: break
        case .end: isReading = false
        }
        if case .waiting = state {
            held.append(.part(part))
        } else {
            read(part, context)
        }
    }

    func read(context: ChannelHandlerContext) {
        // On shutdown only received requests are answered; otherwise new ones could continue forever.
        let isEnding = if case .reading = state { false } else { quiesces }
        if isEnding || held.count > Self.heldParts {
            wantsRead = true
        } else {
            context.read()
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            passed -= 1
            lastAnswer = .now()
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            // The request that is being read will not be completed.
            if case .reading(let head, _, let body) = state { passOn(head, body, hasEnded: false, in: context) }
            if case .passing = state {
                context.fireUserInboundEventTriggered(event)
            } else {
                held.append(.inputClosed)
            }
        case is ChannelShouldQuiesceEvent:
            quiesces = true
            forwardShutdown(context)
        case is IdleStateHandler.IdleStateEvent: if isIdle { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Whether nothing is in progress except, at most, an incomplete request without further input.
    private var isIdle: Bool {
        if case .waiting = state { return false }
        return isReading || (passed == 0 && .now() - lastAnswer >= Self.idle)
    }

    /// Notifies later handlers of the shutdown; they know the requests passed on, and close the connection after their responses.
    private func forwardShutdown(_ context: ChannelHandlerContext) {
        guard quiesces, held.isEmpty, case .passing = state else { return }
        quiesces = false
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    private func read(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (state, part) {
        case (.passing, .head(let head)):
            if passed == 0, isCandidate(head), let caller = pushes.caller(of: head.headers) {
                state = .reading(head, caller, ByteBuffer())
            } else {
                passed += 1
                fire(part, context)
            }
        case (.reading(let head, let caller, var body), .body(var bytes)):
            // The state no longer references the buffer, so it is not copied.
            state = .passing
            if body.readableBytes == 0 {
                body = bytes
            } else {
                body.writeBuffer(&bytes)
            }
            state = .reading(head, caller, body)
        case (.reading(let head, let caller, let body), .end): finish(head, caller, body, context)
        case (.reading, .head), (.passing, .body), (.passing, .end), (.waiting, _):
            fire(part, context)
        }
    }

    private func fire(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        hasFired = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard hasFired else { return }
        hasFired = false
        context.fireChannelReadComplete()
    }

    /// Returns whether the request may be a direct push.
    private func isCandidate(_ head: HTTPRequestHead) -> Bool {
        guard head.method == .POST, head.uri == DirectPushes.path, head.version == .http1_1,
            head.headers["connection"].allSatisfy(Self.keepsAlive),
            !head.headers.contains(name: "content-encoding"),
            isAdmitted(head.headers.first(name: "host")),
            let length = head.headers.first(name: "content-length").flatMap({ Int($0) })
        else { return false }
        return (0...DirectPushes.bodyLimit).contains(length)
    }

    /// Returns whether the host is one of the server's; most clients name the same one in each request of a connection.
    private func isAdmitted(_ host: String?) -> Bool {
        if let host, host == admittedHost { return true }
        guard hosts.admits(host) else { return false }
        admittedHost = host
        return true
    }

    /// Returns whether a `Connection` header says no more than HTTP/1.1 itself. Many clients send it with each request.
    private static func keepsAlive(_ connection: String) -> Bool {
        connection == "keep-alive" || connection == "Keep-Alive"
    }

    private func finish(
        _ head: HTTPRequestHead,
        _ caller: DirectPushes.Caller,
        _ body: ByteBuffer,
        _ context: ChannelHandlerContext
    ) {
        guard let (push, request) = pushes.prepare(Array(buffer: body), of: caller) else {
            return passOn(head, body, hasEnded: true, in: context)
        }
        state = .waiting
        batcher.add(push, request, of: self)
    }

    private func passOn(
        _ head: HTTPRequestHead,
        _ body: ByteBuffer,
        hasEnded: Bool,
        in context: ChannelHandlerContext
    ) {
        state = .passing
        passed += 1
        fire(.head(head), context)
        if body.readableBytes > 0 { fire(.body(body), context) }
        if hasEnded { fire(.end(nil), context) }
        resume(context)
    }

    /// Answers the pending request.
    ///
    /// - Returns: the status of the answer; nil if the connection is closed.
    func answer(_ result: Result<PushResult, any Error>, to request: DirectPushes.Request) -> Int? {
        guard let context, let encoder else { return nil }
        state = .passing
        let (status, response) = pushes.answer(result, to: request)
        if malformed.mayAnswer {
            encoder.writeAndFlush(NIOAny(response), promise: deadline.beginWhole(on: context.eventLoop))
            malformed.answeredWhole()
        }
        lastAnswer = .now()
        resume(context)
        return status
    }

    /// Continues with the input held during a push.
    private func resume(_ context: ChannelHandlerContext) {
        if !held.isEmpty {
            let before = held
            held = []
            for (place, item) in before.enumerated() {
                if case .waiting = state {
                    held.append(contentsOf: before[place...])
                    return
                }
                switch item {
                case .part(let part): read(part, context)
                case .inputClosed: userInboundEventTriggered(context: context, event: ChannelEvent.inputClosed)
                }
            }
            if case .waiting = state { return }
            channelReadComplete(context: context)
        }
        forwardShutdown(context)
        if wantsRead {
            wantsRead = false
            context.read()
        }
    }
}
