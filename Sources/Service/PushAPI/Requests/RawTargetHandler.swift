import NIOCore

/// Percent-encodes octets beyond ASCII in the target of a request, before NIO's strict parser sees them.
///
/// Some client libraries put unencoded tags and aliases into a path. Only a request line at the start of a read is checked: one
/// that arrives together with the end of the previous request is refused as malformed, as every such target would be.
final class RawTargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Place {
        /// Only empty lines have arrived.
        case start
        case line
        /// After the request line, until the request has ended.
        case rest
    }

    private var place = Place.start
    private let messages: MalformedRequestHandler
    private var ended = 0

    /// Creates a handler; `messages` detects the ends of requests.
    init(messages: MalformedRequestHandler) { self.messages = messages }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if place == .rest, messages.ended != ended, !messages.isReading { place = .start }
        ended = messages.ended
        context.fireChannelRead(wrapInboundOut(place == .rest ? buffer : encoded(buffer, context.channel.allocator)))
    }

    private func encoded(_ buffer: ByteBuffer, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        let (lineEnd, isPlain) = look(at: buffer.readableBytesUInt8Span)
        guard !isPlain else { return buffer }
        let bytes = buffer.readableBytesView
        var output = allocator.buffer(capacity: bytes.count + 64)
        for byte in bytes.prefix(lineEnd) {
            if byte < 0x80 {
                output.writeInteger(byte)
            } else {
                output.writeString("%" + String(byte, radix: 16))
            }
        }
        output.writeBytes(bytes.dropFirst(lineEnd))
        return output
    }

    /// Returns the length of the request line received so far, in octets, and whether it is all ASCII.
    private func look(at bytes: Span<UInt8>) -> (lineEnd: Int, isPlain: Bool) {
        var isPlain = true
        for index in bytes.indices {
            let byte = bytes[index]
            let isLineFeed = byte == UInt8(ascii: "\n")
            if place == .start, !isLineFeed, byte != UInt8(ascii: "\r") { place = .line }
            if place == .line, isLineFeed {
                place = .rest
                return (index, isPlain)
            }
            if byte >= 0x80 { isPlain = false }
        }
        return (bytes.count, isPlain)
    }
}
