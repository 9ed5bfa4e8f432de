import Crypto
import Foundation
public import NIOCore
import NIOHPACK
public import NIOHTTP2
import NIOPosix
import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// A local server over TLS and swift-nio-http2, a codec independent of Posthorn's, whose behaviour a program defines.
public final class Peer: Sendable {
    /// The handler of one connection, called on its event loop.
    public protocol Behaviour: AnyObject {
        /// Called when a request is complete; `id` is its `apns-id`.
        func received(_ id: String, on stream: HTTP2StreamID, _ connection: Connection)
        /// Called after all requests of one read.
        func readComplete(_ connection: Connection)
    }

    private let channel: any Channel
    /// A certificate that is its own authority, as a PEM file.
    public let authority: String
    public var port: Int { channel.localAddress?.port ?? 0 }

    private init(channel: any Channel, authority: String) {
        self.channel = channel
        self.authority = authority
    }

    public static func start(
        group: any EventLoopGroup,
        _ makeBehaviour: @escaping @Sendable (any Channel) -> any Behaviour
    ) async throws -> Peer {
        let (certificate, key) = try makeIdentity()
        let folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-peer-\(UUID().uuidString).pem")
        try Data(certificate.utf8).write(to: folder)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let settings = [
                        HTTP2Setting(parameter: .maxConcurrentStreams, value: 1000),
                        HTTP2Setting(parameter: .initialWindowSize, value: 1 << 20),
                    ]
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLServerHandler(context: context),
                        NIOHTTP2Handler(mode: .server, initialSettings: settings),
                        Connection(channel, makeBehaviour(channel)),
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return Peer(channel: channel, authority: folder.path)
    }

    public func stop() async {
        try? await channel.close()
        try? FileManager.default.removeItem(atPath: authority)
    }

    private static func makeIdentity() throws -> (certificate: String, key: String) {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: .init(key.publicKey),
            notValidBefore: Date().addingTimeInterval(-3600),
            notValidAfter: Date().addingTimeInterval(86_400),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName("localhost")])
            },
            issuerPrivateKey: .init(key)
        )
        return (try certificate.serializeAsPEM().pemString, key.pemRepresentation)
    }
}

extension Peer {
    /// One connection, used only on its event loop.
    public final class Connection: ChannelInboundHandler {
        public typealias InboundIn = HTTP2Frame
        public typealias OutboundOut = HTTP2Frame

        private let channel: any Channel
        private let behaviour: any Behaviour
        private var ids: [HTTP2StreamID: String] = [:]
        private var context: ChannelHandlerContext?

        init(_ channel: any Channel, _ behaviour: any Behaviour) {
            self.channel = channel
            self.behaviour = behaviour
        }

        public func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        public func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        public func channelActive(context: ChannelHandlerContext) {
            let window = HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: 1 << 30)
            context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: window)), promise: nil)
            context.fireChannelActive()
        }

        public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .headers(let headers):
                ids[frame.streamID] = headers.headers.first(name: "apns-id") ?? ""
                if headers.endStream { complete(frame.streamID) }
            case .data(let data): if data.endStream { complete(frame.streamID) }
            default: break
            }
        }

        public func channelReadComplete(context: ChannelHandlerContext) {
            behaviour.readComplete(self)
            context.flush()
        }

        public func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func complete(_ stream: HTTP2StreamID) {
            if let id = ids.removeValue(forKey: stream) { behaviour.received(id, on: stream, self) }
        }

        /// Answers a request with 200.
        public func accept(_ stream: HTTP2StreamID) {
            let headers = HTTP2Frame.FramePayload.Headers(headers: [":status": "200"], endStream: true)
            write(HTTP2Frame(streamID: stream, payload: .headers(headers)))
        }

        public func goAway(_ last: HTTP2StreamID, _ reason: String) {
            let data = ByteBuffer(string: #"{"reason":"\#(reason)"}"#)
            write(
                HTTP2Frame(
                    streamID: .rootStream,
                    payload: .goAway(lastStreamID: last, errorCode: .noError, opaqueData: data)
                )
            )
        }

        private func write(_ frame: HTTP2Frame) { context?.write(wrapOutboundOut(frame), promise: nil) }
    }
}
