/// One end of an open link, used to send text frames.
///
/// Frames arrive in the order of the calls. All calls return at once and may come from any thread; on a closed link
/// they do nothing.
public protocol LinkConnection: AnyObject, Sendable {
    func send(_ text: String)
    /// Sends several frames, together where the transport supports it.
    func send(_ batch: LinkBatch)
    /// Calls `body`, on any thread, when everything sent before has been passed to the connection, which may buffer it
    /// for a slow peer; at once on a link that is not open.
    func whenWritten(_ body: @escaping @Sendable () -> Void)
    /// Calls `body`, on any thread, when everything sent before has left the process or can no longer leave; at once on
    /// a link that is not open. A peer that does not read delays it.
    func whenFlushed(_ body: @escaping @Sendable () -> Void)
    /// Sends a ping, which the other end answers.
    func ping()
    func close()
    /// Stops reading frames from the other end until ``resumeReading()``; frames that have already arrived are still
    /// delivered.
    ///
    /// The other end's sends then block, and nothing is buffered for it here.
    func holdReading()
    func resumeReading()
    /// Marks the other end as authenticated: the limits for unauthenticated links no longer apply.
    func admit()
    /// The network of the other end: an IPv4 address such as `192.0.2.7`, or the first 64 bits of an IPv6 address; nil
    /// if unknown.
    var peerNetwork: String? { get }
}

extension LinkConnection {
    /// Sends the texts one by one.
    public func send(_ batch: LinkBatch) { for text in batch.texts { send(text) } }
    /// For links without a write queue.
    public func whenWritten(_ body: @escaping @Sendable () -> Void) { body() }
    /// Calls `body` as ``whenWritten(_:)`` does.
    public func whenFlushed(_ body: @escaping @Sendable () -> Void) { whenWritten(body) }
    /// For links whose ends cannot fail separately.
    public func ping() {}
    /// For links inside a process, which do not read from a connection.
    public func holdReading() {}
    /// Does nothing: the connection is always read.
    public func resumeReading() {}
    /// Does nothing: the connection has no limits before a login.
    public func admit() {}
    /// Nil: the network of the peer is unknown.
    public var peerNetwork: String? { nil }
}
