import NIOCore
import NIOPosix
import NIOSSL
import PushModel

/// A provider at the other end of a real connection to the gateway. Its requests are those of a provider that uses header compression
/// well, and are prepared as bytes; of the answers it reads the status.
struct PlainProvider: Sendable {
    private let channel: any Channel
    /// Counts the answers with 200.
    let accepted: Arrivals
    /// Counts the other answers.
    let refused: Arrivals

    static func connect(port: Int) async throws -> PlainProvider {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let (accepted, refused) = (Arrivals(), Arrivals())
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                    try channel.pipeline.syncOperations.addHandlers([tls, AnswerReader(accepted, refused)])
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return PlainProvider(channel: channel, accepted: accepted, refused: refused)
    }

    func send(_ requests: ByteBuffer) { channel.writeAndFlush(requests, promise: nil) }

    func close() async throws { try await channel.close() }

    /// Writes requests as bytes.
    struct Requests {
        let topic: String
        let bearer: String
        let payload: String
        private var stream: UInt32 = 1
        private var number = 0
        /// Whether the headers that all requests share are in the table of the other side.
        private var isWarm = false

        init(topic: String, bearer: String, payload: String) {
            self.topic = topic
            self.bearer = bearer
            self.payload = payload
        }

        /// An apns-id that no other request has.
        static func id(_ number: Int) -> String {
            let digits = String(number, radix: 16)
            return "12345678-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        }

        /// - Returns: the number of the push's id.
        @discardableResult
        mutating func add(_ token: DeviceToken, to buffer: inout ByteBuffer) -> Int {
            number += 1
            let block = headerBlock("/3/device/" + token.hexadecimal, id: Self.id(number))
            HTTP2Bytes.writeHead(
                HTTP2Bytes.Kind.headers,
                flags: HTTP2Bytes.endHeaders,
                stream: stream,
                length: block.readableBytes,
                to: &buffer
            )
            buffer.writeImmutableBuffer(block)
            let length = payload.utf8.count
            let flags = HTTP2Bytes.endStream
            HTTP2Bytes.writeHead(HTTP2Bytes.Kind.data, flags: flags, stream: stream, length: length, to: &buffer)
            buffer.writeString(payload)
            stream += 2
            return number
        }

        /// The fields of a request (RFC 7541): path and id as plain literals, all others from the tables.
        private mutating func headerBlock(_ path: String, id: String) -> ByteBuffer {
            // `:method: POST` and `:scheme: https`.
            var block = ByteBuffer(bytes: [0x83, 0x87])
            block.writeInteger(UInt8(0x04))
            Self.write(path, to: &block)
            if isWarm {
                // What was put into the table below, the last one first; then the name of the id.
                block.writeBytes([0xC3, 0xC2, 0xC1, 0xC0, 0xBF, 0x0F, 0x2F])
                Self.write(id, to: &block)
                return block
            }
            isWarm = true
            // The names of these two are in the static table.
            block.writeInteger(UInt8(0x41))
            Self.write("localhost", to: &block)
            block.writeInteger(UInt8(0x57))
            Self.write(bearer, to: &block)
            let named = [
                ("apns-topic", topic), ("apns-push-type", "alert"), ("apns-priority", "10"), ("apns-id", id),
            ]
            for (name, value) in named {
                block.writeInteger(UInt8(0x40))
                Self.write(name, to: &block)
                Self.write(value, to: &block)
            }
            return block
        }

        private static func write(_ text: String, to block: inout ByteBuffer) {
            let count = text.utf8.count
            if count < 127 {
                block.writeInteger(UInt8(count))
            } else {
                precondition(count < 127 + 16_384, "The text is too long for two more octets.")
                block.writeMultipleIntegers(UInt8(127), UInt8((count - 127) & 0x7F | 0x80), UInt8((count - 127) >> 7))
            }
            block.writeString(text)
        }
    }

    private final class AnswerReader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let accepted: Arrivals
        private let refused: Arrivals
        private var input = ByteBuffer()

        init(_ accepted: Arrivals, _ refused: Arrivals) {
            self.accepted = accepted
            self.refused = refused
        }

        func channelActive(context: ChannelHandlerContext) {
            var greeting = ByteBuffer(string: HTTP2Bytes.preface)
            HTTP2Bytes.writeHead(HTTP2Bytes.Kind.settings, flags: 0, stream: 0, length: 0, to: &greeting)
            context.writeAndFlush(wrapOutboundOut(greeting), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            input.writeBuffer(&part)
            var output = ByteBuffer()
            var (good, bad) = (0, 0)
            HTTP2Bytes.readFrames(&input, answering: &output) { kind, flags, _, content in
                if kind == HTTP2Bytes.Kind.goAway {
                    accepted.fail(
                        UnexpectedAnswer("The gateway sent a GOAWAY: \(content.readableBytesView.map(\.self))")
                    )
                }
                guard kind == HTTP2Bytes.Kind.headers else { return }
                // `:status: 200` is one octet.
                if content.getInteger(at: content.readerIndex, as: UInt8.self) == 0x88 { good += 1 } else { bad += 1 }
            }
            if output.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(output), promise: nil) }
            if good > 0 { accepted.add(good) }
            if bad > 0 { refused.add(bad) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            let error = UnexpectedAnswer("The gateway has closed the connection.")
            accepted.fail(error)
            refused.fail(error)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            accepted.fail(error)
            context.close(promise: nil)
        }
    }
}
