package import DeviceLink
package import NIOCore
import NIOWebSocket

/// Turns a server channel that has been upgraded to a WebSocket into a link, and passes it to `acceptor`.
///
/// Call it in the pipeline step of an upgrade (`NIOTypedWebSocketServerUpgrader`), whose `maxFrameSize` should be
/// ``LinkConfiguration/messageBytes``: the frame encoder and decoder are in the pipeline, the HTTP handlers are gone.
///
/// `peerNetwork` is the network of the other end, if a trusted source reported it.
package func addLinkHandlers(
    to channel: any Channel,
    acceptor: any LinkAcceptor,
    configuration: LinkConfiguration = LinkConfiguration(),
    peerNetwork: String? = nil
) -> EventLoopFuture<Void> {
    addLinkHandlers(to: channel, acceptor: acceptor, configuration: configuration, peerNetwork: peerNetwork) { _ in }
}

/// `opened` receives the link first, so that a listener can close it later.
func addLinkHandlers(
    to channel: any Channel,
    acceptor: any LinkAcceptor,
    configuration: LinkConfiguration,
    peerNetwork: String? = nil,
    opened: @escaping @Sendable (WebSocketLink) -> Void
) -> EventLoopFuture<Void> {
    channel.eventLoop.submit {
        let link = WebSocketLink(isClient: false, configuration: configuration, peerNetwork: peerNetwork)
        let handler = LinkChannelHandler(link: link, configuration: configuration) { link in
            opened(link)
            return acceptor.accept(link)
        }
        try limitReads(of: channel, configuration)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(handler)
        // Without a decoder, frames come from a test.
        let decoder = try? pipeline.context(handlerType: ByteToMessageHandler<WebSocketFrameDecoder>.self)
        if let decoder, !link.isAdmitted {
            try pipeline.addHandler(
                UnauthenticatedByteLimit(configuration.unauthenticatedBytes),
                position: .before(decoder.handler)
            )
        }
    }
}

/// Limits what a channel reads in one turn of its event loop: all frames of a read are decoded before another connection has its turn.
func limitReads(of channel: any Channel, _ configuration: LinkConfiguration) throws {
    guard let options = channel.syncOptions else { return }
    try options.setOption(.maxMessagesPerRead, value: 1)
    try options.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: configuration.readBytes)
    )
}
