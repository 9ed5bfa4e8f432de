import DeviceLinkNIO
import NIOCore
import NIOHTTP1
import PushModel

/// Answers invalid HTTP with 400 and a late request with 408, then closes the connection, after earlier requests have their responses.
///
/// NIO's own handler responds without a body, which client libraries cannot parse.
final class MalformedRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case open
        /// Nothing more is read. The error response follows the responses that are due.
        case failed(any Error)
        /// The error response is written. Nothing follows it.
        case refused
    }

    /// The time for the client to read the response; an earlier close could lose the response.
    private static let patience = TimeAmount.seconds(2)

    /// Requests whose responses are not complete.
    private var unanswered = 0
    /// Whether the input is between the head of a request and its end.
    private(set) var isReading = false
    /// The number of requests received completely.
    private(set) var ended = 0
    /// Whether a request before the one being read waits for its response.
    var isOwingEarlierAnswer: Bool { unanswered > (isReading ? 1 : 0) }
    /// Whether the output is between the head of a response and its end.
    private var isAnswering = false
    private var phase = Phase.open
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = phase else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            isReading = true
            if let problem = HostFieldProblem(head) {
                phase = .failed(problem)
                return refuse(problem, context)
            }
        case .body: break
        case .end:
            isReading = false
            ended += 1
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .refused = phase {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(data, promise: promise)
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code >= 200: isAnswering = true
        case .head, .body: break
        case .end: endAnswer(context)
        }
    }

    /// Whether responses may still be sent.
    var mayAnswer: Bool { if case .refused = phase { false } else { true } }

    /// Notes that a response was written at once, past this handler.
    func answeredWhole() { if let context { endAnswer(context) } }

    private func endAnswer(_ context: ChannelHandlerContext) {
        unanswered -= 1
        isAnswering = false
        if case .failed(let error) = phase { refuse(error, context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case .open = phase else { return }
        if error is RequestTookTooLong, isReading, isAnswering || unanswered == 0 {
            // It was answered before it was complete: no response is due.
            return context.close(promise: nil)
        }
        guard error is HTTPParserError || error is RequestTookTooLong else { return context.fireErrorCaught(error) }
        phase = .failed(error)
        if isAnswering, isReading, unanswered == 1 {
            // The responder is waiting for the rest of the request.
            context.fireErrorCaught(error)
        } else {
            refuse(error, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .refused = phase, case ChannelEvent.inputClosed? = event as? ChannelEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Sends the error response, unless other responses must come first.
    private func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
        guard unanswered == (isReading ? 1 : 0) else { return }
        phase = .refused
        let problem =
            switch error {
            case let late as RequestTookTooLong: JPushError(status: 408, code: 1003, message: late.description)
            case let host as HostFieldProblem: JPushError.badValue("The request \(host).")
            case let parser as HTTPParserError: JPushError.badValue("The request is not HTTP/1.1: \(parser.words).")
            default: JPushError.badValue("The request is not HTTP/1.1: \(error).")
            }
        let body = ByteBuffer(bytes: problem.json.bytes)
        let headers: HTTPHeaders = [
            "Content-Type": "application/json; charset=utf-8", "Content-Length": "\(body.readableBytes)",
            "Connection": "close",
        ]
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: problem.status),
            headers: headers
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
        sent.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) }
        let end = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in end.cancel() }
    }
}

/// The error for a request whose `Host` is missing, repeated or not a host: two servers in a row could read it as two names.
///
/// Source: RFC 9112, section 3.2.
struct HostFieldProblem: Error, CustomStringConvertible {
    let description: String

    /// Nil for a request with a valid field; HTTP/1.0 needs none.
    init?(_ head: HTTPRequestHead) {
        var count = 0
        var first: String?
        // It runs for every request: the fields are looked through without an array of the values.
        for (name, value) in head.headers where name.utf8.count == 4 && name.lowercased() == "host" {
            count += 1
            first = value
        }
        guard count <= 1 else {
            description = "has \(count) Host fields; expected one"
            return
        }
        guard let host = first else {
            guard head.version == .http1_1 else { return nil }
            description = "has no Host field; HTTP/1.1 requires one"
            return
        }
        guard !host.utf8.allSatisfy(\.isOfHost) else { return nil }
        description = "has the Host field '\(host)'; expected a host, and a port if it is not the usual one"
    }
}

extension UInt8 {
    /// Whether a host or port may have the octet (RFC 3986, section 3.2.2).
    fileprivate var isOfHost: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(self)
        }
    }
}
