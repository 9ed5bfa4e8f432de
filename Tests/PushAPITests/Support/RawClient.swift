import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PushModel

/// The answer of a server.
struct Answer: Sendable {
    var status: Int
    /// By lower-case name.
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONObject? { (try? JSONValue(parsing: body))?.object }
    var code: Int64? { json?["error"]?.object?["code"]?.integer }
    var message: String? { json?["error"]?.object?["message"]?.string }
}

/// A connection that sends exactly the bytes it is told to.
struct RawConnection {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received: [UInt8] = []

    /// Connects to `localhost`, from `address` of the loopback and over `tls` where they are given.
    static func open<Value>(
        _ port: Int,
        from address: String? = nil,
        tls: NIOSSLContext? = nil,
        _ body: (inout RawConnection) async throws -> Value
    ) async throws -> Value {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
        let channel =
            try await bootstrap
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = try NIOSSLClientHandler(context: tls, serverHostname: "localhost")
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&connection)
        }
    }

    private init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound
        self.outbound = outbound
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Returns the received bytes once there are so many.
    mutating func received(atLeast count: Int) async throws -> [UInt8] {
        while received.count < count { try await read() }
        return received
    }

    /// Sends the last there is to send.
    func sendLast(_ text: String) async throws {
        try await send(text)
        outbound.finish()
    }

    /// Sends a piece again and again, a moment apart, until that fails or the task is cancelled.
    func trickling(_ piece: String) -> @Sendable () async -> Void {
        { [outbound] in
            while !Task.isCancelled {
                do { try await outbound.write(ByteBuffer(string: piece)) } catch { return }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    struct Ended: Error {}

    /// Sends a request and returns its answer.
    mutating func answer(to request: String) async throws -> Answer {
        try await send(request)
        return try await answer()
    }

    /// The next answer; an informational one has no body.
    mutating func answer(toHead isHead: Bool = false) async throws -> Answer {
        let end = Array("\r\n\r\n".utf8)
        while received.firstRange(of: end) == nil { try await read() }
        guard let blank = received.firstRange(of: end) else { throw Ended() }
        let lines = String(decoding: received[..<blank.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        received.removeSubrange(..<blank.upperBound)
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Ended()
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = status < 200 || isHead ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
        while received.count < length { try await read() }
        defer { received.removeSubrange(..<length) }
        return Answer(status: status, headers: headers, body: Array(received[..<length]))
    }

    /// Waits for the end of the connection, before which nothing more may come.
    mutating func isEnded() async throws -> Bool {
        guard received.isEmpty else { return false }
        do { return try await inbound.next() == nil } catch let error as IOError where error.errnoCode == ECONNRESET {
            // What the server had not read makes its end a reset.
            return true
        }
    }

    private mutating func read() async throws {
        guard let buffer = try await inbound.next() else { throw Ended() }
        received.append(contentsOf: buffer.readableBytesView)
    }
}
