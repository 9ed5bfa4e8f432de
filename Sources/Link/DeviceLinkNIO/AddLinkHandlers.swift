package import DeviceLink
package import NIOCore

/// Makes a link of a server channel that has been upgraded to a WebSocket, and gives it to `acceptor`.
///
/// To be called in the pipeline step of an upgrade (`NIOTypedWebSocketServerUpgrader`), whose `maxFrameSize` should be
/// ``LinkConfiguration/messageBytes``: the frame encoder and decoder are in the pipeline, the HTTP handlers are gone.
package func addLinkHandlers(
    to channel: any Channel,
    acceptor: any LinkAcceptor,
    configuration: LinkConfiguration = LinkConfiguration()
) -> EventLoopFuture<Void> {
    addLinkHandlers(to: channel, acceptor: acceptor, configuration: configuration) { _ in }
}

/// * `opened`: is handed the link first, so that a listener can close it later.
func addLinkHandlers(
    to channel: any Channel,
    acceptor: any LinkAcceptor,
    configuration: LinkConfiguration,
    opened: @escaping @Sendable (WebSocketLink) -> Void
) -> EventLoopFuture<Void> {
    channel.eventLoop.submit {
        let link = WebSocketLink(isClient: false, configuration: configuration)
        let handler = LinkChannelHandler(link: link, configuration: configuration) { link in
            opened(link)
            return acceptor.accept(link)
        }
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}
