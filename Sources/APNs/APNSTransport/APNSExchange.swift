/// A request that is complete.
package struct APNSArrival {
    /// Names the request until it is answered.
    package let stream: UInt32
    package let request: HTTP2Message

    package init(stream: UInt32, request: HTTP2Message) {
        self.stream = stream
        self.request = request
    }
}

/// The side that answers the requests of one connection.
package protocol APNSExchange: Sendable {
    /// These requests are answered next, one after the other. Who has to look far away for each may look for all at once.
    func expect(_ arrivals: [APNSArrival])

    /// What was expected is behind.
    func relax()

    /// Called in the order in which requests are complete, on the connection's event loop.
    ///
    /// - `stream`: names the request until it is answered.
    /// - `answer`: to be made the answer where it stands, as an answer is much to hand about; 200 and nothing else at first.
    /// - Returns: whether it is the answer; if not, that follows through ``APNSServerConnection/answer(_:_:)``.
    func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool

    /// Whether the other side has shown a good credential, and may be granted what ``HTTP2Limits`` keep from a stranger. Asked
    /// after each answer until it is true.
    var trustsPeer: Bool { get }

    /// The connection is gone.
    func closed()
}

extension APNSExchange {
    package func expect(_ arrivals: [APNSArrival]) {}
    package func relax() {}
    package var trustsPeer: Bool { true }
}
