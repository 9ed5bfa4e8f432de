import APNSTransport
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import TestSupport
import Testing

/// A provider that speaks HTTP/2 frame by frame, to see what the gateway really sends.
final class RawProvider: Sendable {
    private let channel: any Channel
    private let frames: Recorder<HTTP2Frame>

    private init(channel: any Channel, frames: Recorder<HTTP2Frame>) {
        self.channel = channel
        self.frames = frames
    }

    /// Connects, and sends the requests `opening` on streams 1, 3, 5 and so on before anything has come.
    ///
    /// It offers no protocol by ALPN by default, as Pushy and aioapns do. `identity` is a client certificate and its key, in PEM.
    static func connect(
        port: Int,
        authority: String,
        alpn: [String] = [],
        identity: (certificate: String, key: String)? = nil,
        opening: [APNSRequest] = []
    ) async throws -> RawProvider {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        tls.applicationProtocols = alpn
        if let identity {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate.utf8))
            tls.certificateChain = chain.map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.key.utf8), format: .pem))
        }
        let context = try NIOSSLContext(configuration: tls)
        let frames = Recorder<HTTP2Frame>()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"),
                        NIOHTTP2Handler(mode: .client),
                        FrameHandler(frames, opening: opening),
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return RawProvider(channel: channel, frames: frames)
    }

    /// Writes a request; the body goes in frames of `piece` bytes.
    func send(_ request: APNSRequest, stream: Int, piece: Int = 16_384, pseudo: [(String, String)]? = nil) {
        for frame in Self.frames(of: request, stream, piece, pseudo) { channel.write(frame, promise: nil) }
        channel.flush()
    }

    /// Writes all of a request but its end.
    func begin(_ request: APNSRequest, stream: Int) {
        for var frame in Self.frames(of: request, stream) {
            if case .data(var data) = frame.payload {
                data.endStream = false
                frame.payload = .data(data)
            }
            channel.write(frame, promise: nil)
        }
        channel.flush()
    }

    fileprivate static func frames(
        of request: APNSRequest,
        _ stream: Int,
        _ piece: Int = 16_384,
        _ pseudo: [(String, String)]? = nil
    ) -> [HTTP2Frame] {
        let usual = [
            (":method", request.method), (":scheme", "https"), (":path", request.path), (":authority", "localhost"),
        ]
        let headers = HPACKHeaders((pseudo ?? usual) + request.headers.map { ($0.name, $0.value) })
        let id = HTTP2StreamID(stream)
        var frames = [
            HTTP2Frame(
                streamID: id,
                payload: .headers(.init(headers: headers, endStream: request.body.isEmpty))
            )
        ]
        var body = ByteBuffer(bytes: request.body)
        while let slice = body.readSlice(length: min(piece, body.readableBytes)), slice.readableBytes > 0 {
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(slice), endStream: body.readableBytes == 0)
            frames.append(HTTP2Frame(streamID: id, payload: .data(data)))
        }
        return frames
    }

    /// The frames so far, without our own side's business.
    var received: [HTTP2Frame] { frames.elements }

    /// The frames of one stream but for its flow control, once the stream has ended.
    func answer(on stream: Int) async -> [HTTP2Frame] {
        let id = HTTP2StreamID(stream)
        do {
            try await eventually("stream \(stream) has ended") { self.frames.elements.contains { $0.ends(id) } }
        } catch {
            Issue.record(error)
        }
        return frames.elements.filter { frame in
            if case .windowUpdate = frame.payload { false } else { frame.streamID == id }
        }
    }

    /// The answer on one stream as a whole, once the stream has ended.
    func wholeAnswer(on stream: Int) async -> APNSAnswer {
        await answer(on: stream).reduce(into: APNSAnswer(status: 0, headers: [])) { answer, frame in
            switch frame.payload {
            case .headers(let block):
                answer.status = block.headers.first(name: ":status").flatMap(Int.init) ?? 0
                answer.headers = block.headers.filter { !$0.name.hasPrefix(":") }.map {
                    (name: $0.name, value: $0.value)
                }
            case .data(let data):
                if case .byteBuffer(let buffer) = data.data { answer.body += buffer.readableBytesView }
            default: break
            }
        }
    }

    /// The values of MAX_CONCURRENT_STREAMS that were announced.
    var streamLimits: [Int] {
        frames.elements.flatMap { frame -> [Int] in
            guard case .settings(.settings(let settings)) = frame.payload else { return [] }
            return settings.filter { $0.parameter == .maxConcurrentStreams }.map(\.value)
        }
    }

    /// The texts of the GOAWAY frames.
    var goAwayTexts: [String] {
        frames.elements.compactMap { frame in
            guard case .goAway(_, _, let data?) = frame.payload else { return nil }
            return String(buffer: data)
        }
    }

    var connectionWindow: Int {
        frames.elements.reduce(65_535) { sum, frame in
            if case .windowUpdate(let increment) = frame.payload, frame.streamID == .rootStream {
                sum + increment
            } else {
                sum
            }
        }
    }

    var isOpen: Bool { channel.isActive }

    func close() async { try? await channel.close() }
}

private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame
    private let log: Recorder<HTTP2Frame>
    private let opening: [APNSRequest]

    init(_ log: Recorder<HTTP2Frame>, opening: [APNSRequest]) {
        self.log = log
        self.opening = opening
    }

    func channelActive(context: ChannelHandlerContext) {
        for (number, request) in opening.enumerated() {
            for frame in RawProvider.frames(of: request, 1 + 2 * number) {
                context.write(wrapOutboundOut(frame), promise: nil)
            }
        }
        context.flush()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { log.add(unwrapInboundIn(data)) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension HTTP2Frame {
    fileprivate func ends(_ stream: HTTP2StreamID) -> Bool {
        guard streamID == stream else { return false }
        return switch payload {
        case .headers(let headers): headers.endStream
        case .data(let data): data.endStream
        case .rstStream: true
        default: false
        }
    }
}
