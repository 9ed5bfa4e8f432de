import NIOCore

/// Counts the bytes of an unauthenticated client before anything is decoded: a 1 MiB frame that arrives in small pieces
/// would accumulate in the decoder, one for each open link.
final class UnauthenticatedByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The byte limit was exceeded. Further input is dropped.
    struct Exceeded {
        var limit: Int
    }

    private let limit: Int
    private var count = 0
    /// Whether the other end has authenticated.
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
