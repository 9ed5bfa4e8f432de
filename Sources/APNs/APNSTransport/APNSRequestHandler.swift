/// The side that answers the requests of one connection.
package protocol APNSRequestHandler: Sendable {
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
    package var trustsPeer: Bool { true }
}
