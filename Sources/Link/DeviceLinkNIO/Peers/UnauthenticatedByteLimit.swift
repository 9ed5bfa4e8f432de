import NIOCore

/// Counts what a stranger sends, before anything is decoded: a frame of 1 MiB that comes bit by bit would lie in the decoder, one for
/// each link that anybody opens.
final class UnauthenticatedByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// More came than a stranger may send. What comes from here on is dropped.
    struct Exceeded {
        var limit: Int
    }

    private let limit: Int
    private var count = 0
    /// The other end has said who it is.
    var isOver = false

    init(_ limit: Int) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return context.fireChannelRead(data) }
        let before = count
        count += unwrapInboundIn(data).readableBytes
        if count <= limit {
            context.fireChannelRead(data)
        } else if before <= limit {
            context.fireUserInboundEventTriggered(Exceeded(limit: limit))
        }
    }
}
