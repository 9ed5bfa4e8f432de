import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The client's end of a WebSocket link that does as little as possible: it sends prepared texts, and counts the texts that arrive.
final class PlainLink: Sendable {
    private let channel: any Channel
    private let reader: NIOLoopBound<Reader>
    /// Counts the texts, which may be those of several links.
    let texts: Arrivals

    private init(_ channel: any Channel, _ reader: NIOLoopBound<Reader>, _ texts: Arrivals) {
        self.channel = channel
        self.reader = reader
        self.texts = texts
    }

    /// Opens a link and returns when the server has accepted it.
    static func open(port: Int, path: String, texts: Arrivals) async throws -> PlainLink {
        let upgrade = Arrivals()
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let reader = NIOLoopBound(Reader(upgrade, texts), eventLoop: loop)
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 8192))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(reader.value) }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        let head =
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        channel.writeAndFlush(ByteBuffer(string: head), promise: nil)
        try await upgrade.wait()
        return PlainLink(channel, reader, texts)
    }

    func send(_ frames: ByteBuffer) { channel.writeAndFlush(frames, promise: nil) }

    /// Calls `body` for each text from now on, on the event loop, before it is counted.
    func onText(_ body: (@Sendable (ByteBuffer) -> Void)?) { reader.value.onText = body }

    /// A ping. Its answer counts as a text, and comes when the server has taken in all frames before it.
    static let ping = ByteBuffer(bytes: [0x89, 0x80, 0, 0, 0, 0])

    /// Frames with these texts, masked with zeros: the mask is there, and costs the server what any mask does.
    static func frames(_ texts: [String]) -> ByteBuffer {
        var buffer = ByteBuffer()
        for text in texts {
            let count = text.utf8.count
            buffer.writeInteger(UInt8(0x81))
            if count < 126 {
                buffer.writeInteger(UInt8(0x80 | count))
            } else {
                buffer.writeInteger(UInt8(0xFE))
                buffer.writeInteger(UInt16(count))
            }
            buffer.writeInteger(UInt32(0))
            buffer.writeString(text)
        }
        return buffer
    }

    fileprivate final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let upgrade: Arrivals
        private let texts: Arrivals
        private var isOpen = false
        private var input = ByteBuffer()
        var onText: (@Sendable (ByteBuffer) -> Void)?

        init(_ upgrade: Arrivals, _ texts: Arrivals) {
            self.upgrade = upgrade
            self.texts = texts
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            input.writeBuffer(&part)
            if !isOpen, !takeHead() { return }
            while let (kind, content) = nextFrame() {
                switch kind {
                case 1:
                    onText?(content)
                    texts.add()
                case 9: pong(content, context)
                case 10: texts.add()
                default: texts.fail(UnexpectedAnswer("The server sent a frame of kind \(kind)."))
                }
            }
            input.discardReadBytes()
        }

        func channelInactive(context: ChannelHandlerContext) {
            let error = UnexpectedAnswer("The server has closed a link.")
            upgrade.fail(error)
            texts.fail(error)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            texts.fail(error)
            context.close(promise: nil)
        }

        private func takeHead() -> Bool {
            let text = String(buffer: input)
            guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
            guard text.hasPrefix("HTTP/1.1 101") else {
                upgrade.fail(UnexpectedAnswer(text))
                return false
            }
            input.moveReaderIndex(forwardBy: text.utf8.distance(from: text.startIndex, to: end.upperBound))
            isOpen = true
            upgrade.add()
            return true
        }

        /// The kind and the content of the next frame; nil while some of it is missing. Servers send no masks, and nothing here is
        /// longer than 64 KB.
        private func nextFrame() -> (kind: UInt8, content: ByteBuffer)? {
            let start = input.readerIndex
            guard let kind = input.getInteger(at: start, as: UInt8.self),
                let length = input.getInteger(at: start + 1, as: UInt8.self)
            else { return nil }
            var (head, count) = (2, Int(length))
            if length == 126 {
                guard let long = input.getInteger(at: start + 2, as: UInt16.self) else { return nil }
                (head, count) = (4, Int(long))
            }
            guard input.readableBytes >= head + count else { return nil }
            input.moveReaderIndex(forwardBy: head)
            return input.readSlice(length: count).map { (kind & 0x0F, $0) }
        }

        private func pong(_ content: ByteBuffer, _ context: ChannelHandlerContext) {
            var frame = ByteBuffer(bytes: [0x8A, 0x80 | UInt8(content.readableBytes), 0, 0, 0, 0])
            frame.writeImmutableBuffer(content)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        }
    }
}
