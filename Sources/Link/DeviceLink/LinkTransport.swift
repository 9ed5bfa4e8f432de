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

/// The events on a link, reported to its owner one at a time.
public enum LinkEvent: Sendable {
    case opened
    case received(String)
    /// The last event: the link could not be opened, or ended. The text gives the reason in plain language.
    case closed(String)
}

/// Opens links to a server.
public protocol LinkDialer: Sendable {
    /// Starts opening a link to `url` (`ws://` or `wss://`).
    ///
    /// - Returns: the connection; frames sent before `opened` are lost.
    func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection
}

/// Accepts links that clients open.
public protocol LinkAcceptor: Sendable {
    /// Accepts a link that a client has opened.
    ///
    /// - Returns: the handler for the link's events from now on: `received` and, once, `closed`. `opened` is not
    ///   reported.
    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void
}

/// The delay before a link is opened again: at most 1, 2, 4 … 60 seconds, at least half of that.
public struct LinkBackoff: Hashable, Sendable {
    private var failures = 0

    /// Creates a backoff whose first delay is at most one second.
    public init() {}

    /// Returns the delay before the next attempt, and doubles the following one.
    public mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(60_000, 1000 << min(failures, 6))
        failures += 1
        return .milliseconds(Int.random(in: longest / 2...longest, using: &random))
    }

    /// Records that the link works: the next delay is short again.
    public mutating func reset() { failures = 0 }
}
