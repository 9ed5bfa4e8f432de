/// The side that answers the requests of one connection.
package protocol APNSExchange: Sendable {
    /// Called in the order in which requests are complete.
    ///
    /// * `reply`: to be called once, at once or later, on any thread. A reply to a stream that is gone is dropped.
    func respond(to request: APNSRequest, _ reply: @escaping @Sendable (APNSAnswer) -> Void)

    /// The connection is gone.
    func closed()
}
