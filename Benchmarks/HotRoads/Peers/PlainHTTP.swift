import Foundation
import NIOCore
import NIOPosix

/// A client's connection to the REST API that does as little as possible: it sends prepared bytes and looks for the end of answers.
struct PlainHTTP: Sendable {
    private let channel: any Channel
    let answers: Arrivals

    /// Connects, and counts the answers in `answers`, which several connections may share.
    static func connect(port: Int, answers: Arrivals) async throws -> PlainHTTP {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerReader(answers))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return PlainHTTP(channel: channel, answers: answers)
    }

    func send(_ request: ByteBuffer) { channel.writeAndFlush(request, promise: nil) }

    static func post(_ path: String, _ body: String, authorization: String? = nil) -> ByteBuffer {
        let caller = authorization.map { "Authorization: \($0)\r\n" } ?? ""
        return ByteBuffer(
            string: "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(caller)"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
        )
    }

    static func get(_ path: String, authorization: String) -> ByteBuffer {
        ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: \(authorization)\r\n\r\n")
    }

    private final class AnswerReader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let answers: Arrivals
        private var input = ByteBuffer()

        init(_ answers: Arrivals) { self.answers = answers }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            input.writeBuffer(&part)
            guard let length = length() else { return }
            guard var answer = input.readSlice(length: length) else { return }
            if isGood(answer) {
                answers.add()
            } else {
                answers.fail(UnexpectedAnswer(answer.readString(length: length) ?? ""))
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            answers.fail(UnexpectedAnswer("The service has closed a connection."))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            answers.fail(error)
            context.close(promise: nil)
        }

        /// The number of bytes of the answer; nil while some are missing.
        private func length() -> Int? {
            unsafe input.withUnsafeReadableBytes { bytes -> Int? in
                guard let end = unsafe Self.find("\r\n\r\n", in: bytes) else { return nil }
                // "Content-Length: " in any spelling; the number ends at the end of the line.
                guard let field = unsafe Self.find("ength: ", in: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
                else {
                    // An answer in pieces, each with its length; the one without bytes is the last.
                    let tail = unsafe UnsafeRawBufferPointer(rebasing: bytes[max(end, bytes.count - 7)...])
                    return unsafe Self.find("\r\n0\r\n\r\n", in: tail) == nil ? nil : bytes.count
                }
                var (length, place) = (0, field + 7)
                while unsafe bytes[place] >= 0x30 {
                    unsafe length = length * 10 + Int(bytes[place] - 0x30)
                    place += 1
                }
                return end + 4 + length <= bytes.count ? end + 4 + length : nil
            }
        }

        private func isGood(_ answer: ByteBuffer) -> Bool {
            unsafe answer.withUnsafeReadableBytes { bytes in
                // Of a long answer the beginning: a page of devices has many quotes and no errors.
                let beginning = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(32_768))
                return unsafe Self.find("HTTP/1.1 200", in: beginning) == 0
                    && Self.find("\"error\"", in: beginning) == nil
            }
        }

        /// The place of a text, found by the C library, which also a debug build does fast.
        private static func find(_ text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
            guard let base = bytes.baseAddress else { return nil }
            var start = 0
            let count = text.utf8CodeUnitCount
            while start + count <= bytes.count {
                let first = unsafe Int32(text.utf8Start[0])
                guard let found = unsafe memchr(base + start, first, bytes.count - start - count + 1) else {
                    return nil
                }
                start = unsafe base.distance(to: UnsafeRawPointer(found))
                if unsafe memcmp(base + start, text.utf8Start, count) == 0 { return start }
                start += 1
            }
            return nil
        }
    }
}

/// Connections that send in the same turn of the event loop, so that what their requests write shares a transaction.
struct PlainClients: Sendable {
    private let answers = Arrivals()
    private let clients: [PlainHTTP]

    init(_ count: Int, port: Int) async throws {
        var clients: [PlainHTTP] = []
        for _ in 0..<count { clients.append(try await .connect(port: port, answers: answers)) }
        self.clients = clients
    }

    /// Sends a request on each connection, and returns when all are answered.
    func send(_ requests: ArraySlice<ByteBuffer>) async throws {
        for (client, request) in zip(clients, requests) { client.send(request) }
        try settle()
        try await answers.wait(for: requests.count)
    }
}
