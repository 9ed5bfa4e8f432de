/// One end of an open link: text frames leave through it.
///
/// Frames arrive in the order of the calls. Both calls return at once and may come from any thread; on a link that is
/// closed they do nothing.
public protocol LinkConnection: AnyObject, Sendable {
    func send(_ text: String)
    /// Several frames, which leave together where the transport can do that.
    func send(_ batch: LinkBatch)
    /// Calls `body`, on any thread, when everything sent before has been passed to the connection, which may hold it for
    /// a slow peer; on a link that is not open, at once.
    func whenWritten(_ body: @escaping @Sendable () -> Void)
    /// Calls `body`, on any thread, when everything sent before has left the process, or cannot leave any more; on a link that is not
    /// open, at once. A peer that does not read delays it.
    func whenFlushed(_ body: @escaping @Sendable () -> Void)
    /// Says that this end lives, and has the other end say so too.
    func ping()
    func close()
    /// Takes no more frames from the other end until ``resumeReading()``; those that have arrived already still come.
    ///
    /// The other end's own sends wait then, and nothing is kept for it here.
    func holdReading()
    func resumeReading()
    /// The other end has proved who it is: the limits for strangers end.
    func admit()
    /// The network from which the other end comes: an IPv4 address such as `192.0.2.7`, or the first 64 bits of an IPv6 address; nil
    /// where there is none.
    var peerNetwork: String? { get }
}

extension LinkConnection {
    public func send(_ batch: LinkBatch) { for text in batch.texts { send(text) } }
    /// For links on which nothing waits.
    public func whenWritten(_ body: @escaping @Sendable () -> Void) { body() }
    public func whenFlushed(_ body: @escaping @Sendable () -> Void) { whenWritten(body) }
    /// For links whose ends cannot die alone.
    public func ping() {}
    /// For links inside a process, on which nothing is read.
    public func holdReading() {}
    public func resumeReading() {}
    public func admit() {}
    public var peerNetwork: String? { nil }
}

/// What happens on a link, told to its owner one after the other.
public enum LinkEvent: Sendable {
    case opened
    case received(String)
    /// The last event: the link could not be opened, or ended. The text says why, for a person.
    case closed(String)
}

/// Opens links to a server.
public protocol LinkDialer: Sendable {
    /// Starts to open a link to `url` (`ws://` or `wss://`).
    ///
    /// - Returns: the connection; what is sent before `opened` is lost.
    func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection
}

/// Answers links that a client opens.
public protocol LinkAcceptor: Sendable {
    /// Called when a client has opened a link.
    ///
    /// - Returns: what is to be told of the link from now on: `received` and, once, `closed`. `opened` does not come.
    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void
}
