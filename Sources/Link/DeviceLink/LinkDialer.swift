/// Opens links to a server.
public protocol LinkDialer: Sendable {
    /// Starts opening a link to `url` (`ws://` or `wss://`).
    ///
    /// - Returns: the connection; frames sent before `opened` are lost.
    func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection
}
