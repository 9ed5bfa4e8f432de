import APNSTransport
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A provider that speaks HTTP/2 frame by frame, to see what the gateway really sends.
final class RawProvider: Sendable {
    private let channel: any Channel
    private let frames: FrameLog

    private init(channel: any Channel, frames: FrameLog) {
        self.channel = channel
        self.frames = frames
    }

    /// * `alpn`: what is offered; nothing by default, as Pushy and aioapns do.
    static func connect(port: Int, authority: String, alpn: [String] = []) async throws -> RawProvider {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        tls.applicationProtocols = alpn
        let context = try NIOSSLContext(configuration: tls)
        let frames = FrameLog()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"),
                        NIOHTTP2Handler(mode: .client),
                        FrameHandler(frames),
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return RawProvider(channel: channel, frames: frames)
    }

    /// Writes a request; the body goes in frames of `piece` bytes.
    func send(_ request: APNSRequest, stream: Int, piece: Int = 16_384, pseudo: [(String, String)]) {
        var headers = HPACKHeaders()
        for (name, value) in pseudo { headers.add(name: name, value: value) }
        for (name, value) in request.headers { headers.add(name: name, value: value) }
        let id = HTTP2StreamID(stream)
        write(.headers(.init(headers: headers, endStream: request.body.isEmpty)), id)
        var body = ByteBuffer(bytes: request.body)
        while let slice = body.readSlice(length: min(piece, body.readableBytes)), slice.readableBytes > 0 {
            write(.data(.init(data: .byteBuffer(slice), endStream: body.readableBytes == 0)), id)
        }
        channel.flush()
    }

    func send(_ request: APNSRequest, stream: Int, piece: Int = 16_384) {
        let pseudo = [
            (":method", request.method), (":scheme", "https"), (":path", request.path), (":authority", "localhost"),
        ]
        send(request, stream: stream, piece: piece, pseudo: pseudo)
    }

    /// The frames so far, without our own side's business.
    var received: [HTTP2Frame] { frames.all }

    /// The frames of one stream but for its flow control, once the stream has ended.
    func answer(on stream: Int) async -> [HTTP2Frame] {
        let id = HTTP2StreamID(stream)
        await eventually {
            self.frames.all.contains { frame in
                guard frame.streamID == id else { return false }
                switch frame.payload {
                case .headers(let headers): return headers.endStream
                case .data(let data): return data.endStream
                case .rstStream: return true
                default: return false
                }
            }
        }
        return frames.all.filter { frame in
            if case .windowUpdate = frame.payload { false } else { frame.streamID == id }
        }
    }

    var connectionWindow: Int {
        frames.all.reduce(65_535) { sum, frame in
            if case .windowUpdate(let increment) = frame.payload, frame.streamID == .rootStream {
                sum + increment
            } else {
                sum
            }
        }
    }

    var isOpen: Bool { channel.isActive }

    func close() async { try? await channel.close() }

    private func write(_ payload: HTTP2Frame.FramePayload, _ stream: HTTP2StreamID) {
        channel.write(HTTP2Frame(streamID: stream, payload: payload), promise: nil)
    }
}

private final class FrameLog: Sendable {
    private let frames = Mutex<[HTTP2Frame]>([])
    var all: [HTTP2Frame] { frames.withLock { $0 } }
    func add(_ frame: HTTP2Frame) { frames.withLock { $0.append(frame) } }
}

private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    private let log: FrameLog

    init(_ log: FrameLog) { self.log = log }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { log.add(unwrapInboundIn(data)) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
