import APNSTransport
import AppleDeveloper
import NIOCore
import NIOPosix
import NIOSSL

/// Stands for APNs at the other end of a real connection: it answers every push with 200 without reading it.
struct PlainAPNs: Sendable {
    let port: Int

    static func start() async throws -> PlainAPNs {
        let authority = try GatewayAuthority(folder: nil)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: authority.chain.map { .certificate($0) },
            privateKey: .privateKey(authority.key)
        )
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 131_072))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([NIOSSLServerHandler(context: context), Answerer()])
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return PlainAPNs(port: channel.localAddress?.port ?? 0)
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private var hasPreface = false
        private var input = ByteBuffer()

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            input.writeBuffer(&part)
            var output = ByteBuffer()
            if !hasPreface {
                guard input.readableBytes >= HTTP2Bytes.preface.utf8.count else { return }
                input.moveReaderIndex(forwardBy: HTTP2Bytes.preface.utf8.count)
                hasPreface = true
                HTTP2Bytes.writeHead(HTTP2Bytes.Kind.settings, flags: 0, stream: 0, length: 6, to: &output)
                // The largest number of concurrent streams: 1000.
                output.writeMultipleIntegers(UInt16(3), UInt32(1000))
                HTTP2Bytes.writeHead(HTTP2Bytes.Kind.windowUpdate, flags: 0, stream: 0, length: 4, to: &output)
                output.writeInteger(UInt32(1 << 30))
            }
            var answered: [UInt32] = []
            HTTP2Bytes.readFrames(&input, answering: &output) { kind, flags, stream, _ in
                let ends = kind <= HTTP2Bytes.Kind.headers && flags & HTTP2Bytes.endStream != 0
                if ends { answered.append(stream) }
            }
            for stream in answered {
                let flags = HTTP2Bytes.endStream | HTTP2Bytes.endHeaders
                HTTP2Bytes.writeHead(HTTP2Bytes.Kind.headers, flags: flags, stream: stream, length: 1, to: &output)
                // `:status: 200` (RFC 7541, appendix A).
                output.writeInteger(UInt8(0x88))
            }
            if output.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(output), promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
