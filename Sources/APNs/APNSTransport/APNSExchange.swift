/// The side that answers the requests of one connection.
package protocol APNSExchange: Sendable {
    /// Called in the order in which requests are complete, on the connection's event loop.
    ///
    /// - `stream`: names the request until it is answered.
    /// - Returns: the answer; nil if it follows through ``APNSServerConnection/answer(_:_:)``.
    func respond(to request: HTTP2Message, on stream: UInt32) -> HTTP2Answer?

    /// The connection is gone.
    func closed()
}
