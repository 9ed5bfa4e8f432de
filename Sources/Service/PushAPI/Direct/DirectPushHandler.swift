import DeviceLinkNIO
import NIOCore
import NIOHTTP1
import PushService

/// Answers small pushes on the event loop that reads them, without a task; all other requests go on as they are.
///
/// A task for each push, and the hops between its threads, cost several times what is done for the push. What ``DirectPushes``
/// does not take is handed on whole: nobody can tell the difference but by the time it takes. Answers keep the order of
/// requests: a push is taken only while no request before it waits for its answer, and what comes meanwhile is held.
final class DirectPushHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a connection may send nothing after its last answer, or in the middle of a request.
    static let idle = TimeAmount.seconds(600)

    /// Parts of later requests that may be held; then no more is read until there is an answer.
    private static let heldParts = 32

    private enum State {
        /// What comes is handed on. Requests that wait for their answer: none of them is a push of ours.
        case passing
        /// A push is being read.
        case reading(HTTPRequestHead, DirectPushes.Caller, ByteBuffer)
        /// A push waits for the disk.
        case waiting
    }

    private enum Held {
        case part(HTTPServerRequestPart)
        /// Told earlier, it would end the connection before the answer.
        case inputClosed
    }

    private let pushes: DirectPushes
    private let batcher: DirectPushBatcher
    private let hosts: HostRule
    private var context: ChannelHandlerContext?
    private var state = State.passing
    /// Requests that were handed on and whose answers have not ended.
    private var passed = 0
    /// Between the head of a request and its end.
    private var isReading = false
    /// Whether something was handed on since the end of the last read.
    private var hasFired = false
    private var held: [Held] = []
    /// The server is to end, and those behind have not been told: they would end the connection before its pushes are answered.
    private var quiesces = false
    /// When the last answer ended.
    private var lastAnswer = NIODeadline.now()
    private var wantsRead = false

    /// * `tray`: that of the event loop.
    init(_ pushes: DirectPushes, batcher: DirectPushBatcher, hosts: HostRule) {
        self.pushes = pushes
        self.batcher = batcher
        self.hosts = hosts
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch part {
        case .head: isReading = true
        case .body: break
        case .end: isReading = false
        }
        if case .waiting = state { held.append(.part(part)) } else { read(part, context) }
    }

    func read(context: ChannelHandlerContext) {
        // Before the end only what has come is answered, or what comes might have no end.
        let isEnding = if case .reading = state { false } else { quiesces }
        if isEnding || held.count > Self.heldParts { wantsRead = true } else { context.read() }
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
            // What is being read will not become whole.
            if case .reading(let head, _, let body) = state { handOn(head, body, hasEnded: false, context) }
            if case .passing = state {
                context.fireUserInboundEventTriggered(event)
            } else {
                held.append(.inputClosed)
            }
        case is ChannelShouldQuiesceEvent:
            quiesces = true
            tellOfEnd(context)
        case is IdleStateHandler.IdleStateEvent: if isIdle { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Whether nothing is under way but, at most, a request whose rest does not come.
    private var isIdle: Bool {
        if case .waiting = state { return false }
        return isReading || (passed == 0 && .now() - lastAnswer >= Self.idle)
    }

    /// Those behind know of the requests that were handed on, and end the connection when those have their answers.
    private func tellOfEnd(_ context: ChannelHandlerContext) {
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
            // Its own state holds the buffer no more, so that it is not copied.
            state = .passing
            if body.readableBytes == 0 { body = bytes } else { body.writeBuffer(&bytes) }
            state = .reading(head, caller, body)
        case (.reading(let head, let caller, let body), .end): take(head, caller, body, context)
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

    /// Whether a request might be taken here.
    private func isCandidate(_ head: HTTPRequestHead) -> Bool {
        guard head.method == .POST, let path = DirectPushes.Path(rawValue: head.uri), head.version == .http1_1,
            !head.headers.contains(name: "connection"), hosts.admits(head.headers.first(name: "host")),
            let length = head.headers.first(name: "content-length").flatMap({ Int($0) })
        else { return false }
        return (0...path.bodyLimit).contains(length)
    }

    private func take(
        _ head: HTTPRequestHead,
        _ caller: DirectPushes.Caller,
        _ body: ByteBuffer,
        _ context: ChannelHandlerContext
    ) {
        guard let path = DirectPushes.Path(rawValue: head.uri),
            let taken = pushes.take(Array(buffer: body), at: path, of: caller)
        else {
            return handOn(head, body, hasEnded: true, context)
        }
        state = .waiting
        batcher.add(taken, of: self)
    }

    private func handOn(_ head: HTTPRequestHead, _ body: ByteBuffer, hasEnded: Bool, _ context: ChannelHandlerContext) {
        state = .passing
        passed += 1
        fire(.head(head), context)
        if body.readableBytes > 0 { fire(.body(body), context) }
        if hasEnded { fire(.end(nil), context) }
        goOn(context)
    }

    /// Answers the request that waits.
    func answer(_ result: Result<[PushResult], any Error>, to taken: DirectPushes.Taken) {
        // Without one the connection is gone.
        guard let context else { return }
        state = .passing
        let (head, body) = pushes.answer(result, to: taken)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        lastAnswer = .now()
        goOn(context)
    }

    /// With what came while a push was under way.
    private func goOn(_ context: ChannelHandlerContext) {
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
        tellOfEnd(context)
        if wantsRead {
            wantsRead = false
            context.read()
        }
    }
}
