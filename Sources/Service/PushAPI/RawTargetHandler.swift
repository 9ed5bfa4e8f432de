import NIOCore

/// Percent-encodes octets beyond ASCII in the target of a request, before NIO's strict parser sees them.
///
/// Some client libraries put tags and aliases into a path as they are. Only a request line that begins a read is looked at:
/// one that comes together with the end of the request before it is refused as malformed, as every such target would be.
final class RawTargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Place {
        /// Nothing of the request line has come but empty lines.
        case start
        case line
        /// After the request line, until the request has ended.
        case rest
    }

    private var place = Place.start
    private let messages: MalformedRequestHandler
    private var ended = 0

    /// - Parameter messages: knows where requests end.
    init(messages: MalformedRequestHandler) { self.messages = messages }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if place == .rest, messages.ended != ended, !messages.isReading { place = .start }
        ended = messages.ended
        context.fireChannelRead(wrapInboundOut(place == .rest ? buffer : encoded(buffer, context.channel.allocator)))
    }

    private func encoded(_ buffer: ByteBuffer, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        let bytes = buffer.readableBytesView
        let lineEnd = lineEnd(in: bytes)
        guard bytes[..<lineEnd].contains(where: { $0 >= 0x80 }) else { return buffer }
        var output = allocator.buffer(capacity: bytes.count + 64)
        for byte in bytes[..<lineEnd] {
            if byte < 0x80 { output.writeInteger(byte) } else { output.writeString("%" + String(byte, radix: 16)) }
        }
        output.writeBytes(bytes[lineEnd...])
        return output
    }

    /// Where the request line ends, or what has come of it.
    private func lineEnd(in bytes: ByteBufferView) -> ByteBufferView.Index {
        for index in bytes.indices {
            let isLineFeed = bytes[index] == UInt8(ascii: "\n")
            if place == .start, !isLineFeed, bytes[index] != UInt8(ascii: "\r") { place = .line }
            if place == .line, isLineFeed {
                place = .rest
                return index
            }
        }
        return bytes.endIndex
    }
}
