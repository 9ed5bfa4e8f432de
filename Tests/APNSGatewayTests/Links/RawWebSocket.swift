import Foundation
import NIOCore
import NIOPosix
import NIOWebSocket
import Synchronization
import TestSupport

/// A client of a WebSocket that sends exactly the bytes it is told to, and reads only when it is told to.
final class RawWebSocket: Sendable {
    private let channel: any Channel
    private let log: Log

    private init(channel: any Channel, log: Log) {
        self.channel = channel
        self.log = log
    }

    /// Connects and sends a request for an upgrade, or another one.
    ///
    /// The upgrade has `headers` of its own, each a whole line. A `Host` replaces the usual one.
    static func open(
        port: Int,
        path: String = "/link",
        headers: [String] = [],
        request: String? = nil
    ) async throws -> RawWebSocket {
        let log = Log()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(log)) }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        channel.closeFuture.whenComplete { _ in log.end() }
        let host = headers.contains { $0.lowercased().hasPrefix("host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
        let lines =
            ["GET \(path) HTTP/1.1"] + host + [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + headers
        let socket = RawWebSocket(channel: channel, log: log)
        _ = socket.send(Array((request ?? lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        return socket
    }

    /// A masked frame, whose key leaves the text as it is.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var frame: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65_536: frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
        }
        return frame + [0, 0, 0, 0] + payload
    }

    static let text: UInt8 = 1
    static let ping: UInt8 = 9

    /// Returns what completes when the bytes have left for the network.
    func send(_ bytes: [UInt8]) -> EventLoopFuture<Void> { channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// From here on what comes stays in the socket until ``read()``.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }
    func read() async throws { try await channel.setOption(.autoRead, value: true).get() }

    var eventLoop: any EventLoop { channel.eventLoop }

    /// All that has come.
    var received: [UInt8] { log.bytes }
    var isClosed: Bool { log.isEnded }

    /// The status of the answer to the request.
    func status() async throws -> Int {
        try await eventual("there is an answer") {
            let text = String(decoding: received, as: UTF8.self)
            guard text.contains("\r\n\r\n") else { return isClosed ? 0 : nil }
            return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }

    /// The code of the goodbye with which the link ended, without one 0.
    func closeCode() async throws -> Int {
        try await eventually("the link is closed") { isClosed }
        // The goodbye is the last frame; its code the last two octets.
        let end = received.suffix(4)
        guard end.count == 4, end.first == 0x88, end.dropFirst().first == 2 else { return 0 }
        return end.suffix(2).reduce(0) { $0 << 8 | Int($1) }
    }

    func close() async { try? await channel.close() }

    private final class Log: Sendable {
        private let state = Mutex((bytes: [UInt8](), isEnded: false))
        var bytes: [UInt8] { state.withLock(\.bytes) }
        var isEnded: Bool { state.withLock(\.isEnded) }
        func add(_ buffer: ByteBuffer) { state.withLock { $0.bytes += buffer.readableBytesView } }
        func end() { state.withLock { $0.isEnded = true } }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let log: Log

        init(_ log: Log) { self.log = log }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { log.add(unwrapInboundIn(data)) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
