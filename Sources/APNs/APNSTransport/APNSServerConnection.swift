import NIOCore
package import NIOSSL

/// A connection that a provider has opened, as controlled by the answering side.
package final class APNSServerConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBoundBox<ServerHandler?>

    /// Must be called on the channel's event loop.
    init(channel: any Channel) {
        self.channel = channel
        handler = NIOLoopBoundBox(nil, eventLoop: channel.eventLoop)
    }

    /// Sets the handler. Must be called on the channel's event loop.
    func use(_ handler: ServerHandler?) { self.handler.value = handler }

    /// The address of the other side, for logging.
    package var peer: String { channel.remoteAddress?.description ?? "unknown" }

    /// The client certificate of the other side, checked against the server's client authorities unless it accepts any; nil if
    /// there is none.
    ///
    /// Must be read on the channel's event loop, on which ``APNSRequestHandler/respond(to:on:_:)`` is called.
    package var clientCertificate: NIOSSLCertificate? { try? channel.pipeline.syncOperations.nioSSL_peerCertificate() }

    /// Answers a request for which ``APNSRequestHandler/respond(to:on:_:)`` returned false; must be called once. An answer to a closed
    /// stream is dropped.
    package func answer(_ stream: UInt32, _ answer: HTTP2Answer) { self.answer([(stream, answer)]) }

    /// Answers several at once, in this order; see ``answer(_:_:)``.
    package func answer(_ answers: [(stream: UInt32, answer: HTTP2Answer)]) { steer { $0.answer(answers) } }

    /// Sends GOAWAY. Streams above `lastStreamID` are dropped, the others are still answered. If none can come after those that have
    /// arrived, the connection is closed a second after the last answer.
    ///
    /// `lastStreamID` is nil for the highest possible id: everything that has arrived is answered.
    package func goAway(lastStreamID: Int? = nil, errorCode: Int = 0, debugData: [UInt8] = []) {
        let code = HTTP2ErrorCode(rawValue: UInt32(clamping: errorCode))
        steer { $0.goAway(lastStreamID: lastStreamID.map { UInt32(clamping: $0) }, code, debugData) }
    }

    /// Resets one stream without an answer, which the real service does not do but other servers do.
    package func reset(streamID: Int, errorCode: Int) {
        steer { $0.reset(UInt32(clamping: streamID), HTTP2ErrorCode(rawValue: UInt32(clamping: errorCode))) }
    }

    /// Announces another MAX_CONCURRENT_STREAMS.
    package func setStreamLimit(_ limit: Int) { steer { $0.announce(streamLimit: limit) } }

    /// Runs a closure on the connection's event loop, where requests are answered, as soon as the loop is free.
    package func perform(_ body: @escaping @Sendable () -> Void) { channel.eventLoop.execute(body) }

    /// Sends GOAWAY with `{"reason":"Shutdown"}`, answers the requests that have arrived, then closes.
    package func shutDown() { steer { $0.shutDown() } }

    /// Closes at once, whatever is in progress.
    package func close() { channel.close(promise: nil) }

    func waitUntilClosed() async { try? await channel.closeFuture.get() }

    /// Goes through the event loop's queue in any case, so that nothing called by the handler can re-enter it.
    private func steer(_ body: @escaping @Sendable (ServerHandler) -> Void) {
        channel.eventLoop.execute { if let handler = self.handler.value { body(handler) } }
    }
}

/// The side that answers the requests of one connection.
package protocol APNSRequestHandler: Sendable {
    /// Announces several requests that are answered next, in this order, so that what they need can be loaded together. They are
    /// valid only during the call. A single request is not announced, and one that is too large is not passed to
    /// ``respond(to:on:_:)``.
    func expect(_ requests: [HTTP2Message])

    /// Answers a request. Called in the order in which requests are complete, on the connection's event loop.
    ///
    /// `stream` identifies the request until it is answered. `answer` is to be filled in place, since an answer is
    /// expensive to copy; an empty 200 at first.
    /// - Returns: whether `answer` is final; if not, it follows through ``APNSServerConnection/answer(_:_:)``.
    func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool

    /// Whether the other side has presented a valid credential, and gets the full ``HTTP2Limits``. Read after each answer until
    /// it is true.
    var trustsPeer: Bool { get }

    /// The connection is closed.
    func closed()
}

extension APNSRequestHandler {
    package func expect(_ requests: [HTTP2Message]) {}

    package var trustsPeer: Bool { true }
}
