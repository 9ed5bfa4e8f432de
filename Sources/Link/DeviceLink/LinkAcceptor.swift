/// Accepts links that clients open.
public protocol LinkAcceptor: Sendable {
    /// Accepts a link that a client has opened.
    ///
    /// - Returns: the handler for the link's events from now on: `received` and, once, `closed`. `opened` is not
    ///   reported.
    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void
}
