import DeviceLink
import DeviceLinkNIO
import NIOCore
import NIOPosix
import NetworkSupport
import Synchronization
import TestSupport
import Testing

/// Answers each text with itself, once it has let the other end in.
private final class Echo: LinkAcceptor {
    struct State {
        var connections: [any LinkConnection] = []
        var texts = 0
        var bytes = 0
        var ends: [String] = []
    }

    private let admits: Bool
    private let holdsFirst: Bool
    private let state = Mutex(State())

    /// With `holdsFirst`, it stops reading after the first text.
    init(admits: Bool = true, holdsFirst: Bool = false) {
        self.admits = admits
        self.holdsFirst = holdsFirst
    }

    var now: State { state.withLock { $0 } }
    var last: (any LinkConnection)? { now.connections.last }

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        state.withLock { $0.connections.append(connection) }
        if admits { connection.admit() }
        return { [self] event in
            switch event {
            case .opened: break
            case .received(let text):
                if text.utf8.count < 1000 { connection.send(text) }
                let isFirst = state.withLock { state in
                    state.texts += 1
                    state.bytes += text.utf8.count
                    return state.texts == 1
                }
                if holdsFirst, isFirst { connection.holdReading() }
            case .closed(let why): state.withLock { $0.ends.append(why) }
            }
        }
    }
}

/// Bystanders who ask and are answered on the same server.
private struct Bystander {
    let socket: RawWebSocket

    init(port: Int) async throws {
        socket = try await RawWebSocket.open(port: port, path: "/echo")
        let status = try await socket.status()
        #expect(status == 101)
    }

    /// One question and its answer.
    func ask() async throws {
        let before = socket.received.count
        _ = socket.send(RawWebSocket.frame(RawWebSocket.text, Array("hello".utf8)))
        try await eventually("the bystander has its answer") { socket.received.count >= before + 7 }
    }
}

/// Sends a piece again and again, the next when the last has left.
private final class Flood: Sendable {
    private let socket: RawWebSocket
    private let piece: [UInt8]
    private let times: Int
    private let count = Atomic(0)
    private let isStopped = Atomic(false)

    init(_ socket: RawWebSocket, _ piece: [UInt8], times: Int) {
        self.socket = socket
        self.piece = piece
        self.times = times
    }

    /// Pieces that have left.
    var sent: Int { count.load(ordering: .relaxed) }

    /// Sends no more than the piece under way.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Returns what completes when all have left, or after `stop()` the last that was begun.
    func start() -> EventLoopFuture<Void> {
        socket.send(piece).flatMap {
            guard self.count.add(1, ordering: .relaxed).newValue < self.times, !self.isStopped.load(ordering: .relaxed)
            else {
                return self.socket.eventLoop.makeSucceededVoidFuture()
            }
            return self.start()
        }
    }

    /// Waits until all have left, or none has while a bystander had fifty answers from the same event loops.
    func untilQuiet(beside bystander: Bystander) async throws {
        var quiet = 0
        var before = -1
        while quiet < 50, sent < times {
            try await bystander.ask()
            quiet = sent == before ? quiet + 1 : 0
            before = sent
        }
    }
}

@Suite("Links under attack", .suiteLimit)
struct LinkAbuseTests {
    @Test("A frame counts as flushed when the other end has made room for it, not before")
    func flushed() async throws {
        let server = Echo()
        let listener = try await listen(server)
        let socket = try await RawWebSocket.open(port: listener.port)
        #expect(try await socket.status() == 101)
        try await socket.stopReading()
        let bystander = try await Bystander(port: listener.port)
        try await eventually("the link is there") { server.last != nil }
        let connection = try #require(server.last)
        let written = Atomic(false)
        let flushed = Atomic(false)
        // More than the kernel keeps for both ends.
        let text = String(repeating: "x", count: 1 << 20)
        for _ in 0..<48 { connection.send(text) }
        connection.whenWritten { written.store(true, ordering: .relaxed) }
        connection.whenFlushed { flushed.store(true, ordering: .relaxed) }
        try await eventually("the frames are passed to the connection") { written.load(ordering: .relaxed) }
        for _ in 0..<50 { try await bystander.ask() }
        let isEarly = flushed.load(ordering: .relaxed)
        #expect(!isEarly)
        try await socket.read()
        try await eventually("they have left") { flushed.load(ordering: .relaxed) }
        await socket.close()
        let closed = Atomic(false)
        try await eventually("the link ends") { !server.now.ends.isEmpty }
        connection.whenFlushed { closed.store(true, ordering: .relaxed) }
        let isCalled = closed.load(ordering: .relaxed)
        #expect(isCalled, "On a link that is closed it is called at once.")
        await listener.close()
    }

    private func listen(
        _ server: Echo,
        _ configuration: LinkConfiguration = LinkConfiguration(),
        admission: LinkAdmission? = nil
    ) async throws -> WebSocketListener {
        try await WebSocketListener.start(
            host: "127.0.0.1",
            port: 0,
            acceptors: ["/link": server, "/echo": Echo()],
            group: MultiThreadedEventLoopGroup.singleton,
            configuration: configuration,
            admission: admission
        )
    }

    @Test("A peer that sends pings without reading is not read from; once it reads, everything continues")
    func pingFlood() async throws {
        let server = Echo()
        // With the usual allowance, a link ends long before its sockets are full.
        let listener = try await listen(server, LinkConfiguration { $0.chatter = .init(burst: 1 << 20, perSecond: 0) })
        let socket = try await RawWebSocket.open(port: listener.port)
        #expect(try await socket.status() == 101)
        let bystander = try await Bystander(port: listener.port)
        try await socket.stopReading()
        // 16 KiB of pings; 1536 of those are more than two sockets hold.
        let ping = RawWebSocket.frame(RawWebSocket.ping, [UInt8](repeating: 7, count: 120))
        let piece = Array(repeatElement(ping, count: (1 << 14) / ping.count).joined())
        let flood = Flood(socket, piece, times: 1536)
        let all = flood.start()
        try await flood.untilQuiet(beside: bystander)
        #expect(flood.sent < 1536, "The server has read all.")
        flood.stop()
        try await socket.read()
        try await all.get()
        // The answer to the last ping is there, and the link does what it did before.
        _ = socket.send(RawWebSocket.frame(RawWebSocket.text, Array("still here".utf8)))
        try await eventually("the text has come back") {
            String(decoding: socket.received.suffix(10), as: UTF8.self) == "still here"
        }
        await socket.close()
        await listener.close()
    }

    @Test("Links that flood with pings, pongs or empty fragments end with code 1008, and others are served meanwhile")
    func emptyFrames() async throws {
        let server = Echo()
        let listener = try await listen(server)
        let bystander = try await Bystander(port: listener.port)
        let empty: [(first: [UInt8], UInt8)] = [
            ([], RawWebSocket.ping), ([], 10), (RawWebSocket.frame(RawWebSocket.text, [], isFinal: false), 0),
        ]
        for (first, opcode) in empty {
            let socket = try await RawWebSocket.open(port: listener.port)
            #expect(try await socket.status() == 101)
            let frame = RawWebSocket.frame(opcode, [], isFinal: opcode != 0)
            _ = socket.send(first + Array(repeatElement(frame, count: 10_000).joined()))
            try await bystander.ask()
            #expect(try await socket.closeCode() == 1008)
        }
        await listener.close()
    }

    @Test("Events that their owner does not take stay until it takes them")
    func holds() async throws {
        let server = Echo(holdsFirst: true)
        let listener = try await listen(server)
        let socket = try await RawWebSocket.open(port: listener.port)
        #expect(try await socket.status() == 101)
        let bystander = try await Bystander(port: listener.port)
        let piece = RawWebSocket.frame(RawWebSocket.text, [UInt8](repeating: 0x61, count: (1 << 20) - 14))
        let flood = Flood(socket, piece, times: 32)
        let all = flood.start()
        try await flood.untilQuiet(beside: bystander)
        #expect(flood.sent < 32)
        #expect(server.now.bytes < 4 << 20, "A read or two was under way.")
        server.last?.resumeReading()
        try await all.get()
        try await eventually("all texts have come") { server.now.texts == 32 }
        await socket.close()
        await listener.close()
    }

    @Test("A frame, or the fragments of a message, of more than 1 MiB end the link with code 1009")
    func largeFrames() async throws {
        let server = Echo()
        let listener = try await listen(server)
        let half = [UInt8](repeating: 0x61, count: 600_000)
        let large = [
            RawWebSocket.frame(RawWebSocket.text, [UInt8](repeating: 0x61, count: (1 << 20) + 1)),
            RawWebSocket.frame(RawWebSocket.text, half, isFinal: false) + RawWebSocket.frame(0, half),
        ]
        for bytes in large {
            let socket = try await RawWebSocket.open(port: listener.port)
            #expect(try await socket.status() == 101)
            _ = socket.send(bytes)
            #expect(try await socket.closeCode() == 1009)
        }
        #expect(server.now.texts == 0)
        let socket = try await RawWebSocket.open(port: listener.port)
        #expect(try await socket.status() == 101)
        _ = socket.send(RawWebSocket.frame(RawWebSocket.text, [UInt8](repeating: 0x61, count: 1 << 20)))
        try await eventually("a text of 1 MiB has come") { server.now.bytes == 1 << 20 }
        await socket.close()
        await listener.close()
    }

    @Test("A reader for whom more than 64 MiB wait loses the link, and what waited is let go")
    func slowReader() async throws {
        let server = Echo()
        let listener = try await listen(server)
        let socket = try await RawWebSocket.open(port: listener.port)
        #expect(try await socket.status() == 101)
        let bystander = try await Bystander(port: listener.port)
        try await socket.stopReading()
        try await eventually("the link is there") { server.last != nil }
        let text = String(repeating: "x", count: 1 << 20)
        // The sockets take a few MiB.
        for _ in 0..<128 where server.now.ends.isEmpty { server.last?.send(text) }
        try await socket.read()
        try await eventually("the link is closed") { socket.isClosed && server.now.ends.count == 1 }
        #expect(socket.received.count < 100 << 20)
        try await bystander.ask()
        await listener.close()
    }

    @Test("An unauthenticated link may send 64 KiB in any form, and is then closed with code 1008")
    func unauthenticatedBytes() async throws {
        let server = Echo(admits: false)
        let listener = try await listen(server)
        // The head of a frame of 1 MiB, and its content bit by bit: nothing ever gets as far as a frame.
        let head = RawWebSocket.frame(RawWebSocket.text, [UInt8](repeating: 0, count: 1 << 20)).prefix(14)
        let socket = try await RawWebSocket.open(port: listener.port)
        #expect(try await socket.status() == 101)
        _ = socket.send(Array(head))
        for _ in 0..<70 { _ = socket.send([UInt8](repeating: 0x61, count: 1000)) }
        #expect(try await socket.closeCode() == 1008)
        #expect(server.now.texts == 0)
        let known = try await RawWebSocket.open(port: listener.port)
        #expect(try await known.status() == 101)
        try await eventually("the second link is there") { server.now.connections.count == 2 }
        server.last?.admit()
        _ = known.send(RawWebSocket.frame(RawWebSocket.text, [UInt8](repeating: 0x61, count: 500_000)))
        try await eventually("a long text has come") { server.now.bytes == 500_000 }
        await known.close()
        await listener.close()
    }

    @Test("A peer that does not identify itself in time, or never asks for a link, is disconnected")
    func silence() async throws {
        let patient = try await listen(
            Echo(admits: false),
            LinkConfiguration { $0.unauthenticatedTime = .milliseconds(200) }
        )
        let stranger = try await RawWebSocket.open(port: patient.port)
        #expect(try await stranger.closeCode() == 1008)
        await patient.close()
        let brisk = try await listen(Echo(), LinkConfiguration { $0.openTimeout = .milliseconds(200) })
        let halfway = try await RawWebSocket.open(port: brisk.port, request: "GET /link HTTP/1.1\r\n")
        try await eventually("the connection is closed") { halfway.isClosed }
        #expect(halfway.received == [])
        await brisk.close()
    }

    @Test("A listener has as many connections as it was told, and room again when one ends")
    func crowd() async throws {
        let server = Echo()
        let listener = try await listen(server, LinkConfiguration { $0.connections = 2 })
        var sockets: [RawWebSocket] = []
        for _ in 0..<2 {
            let socket = try await RawWebSocket.open(port: listener.port)
            #expect(try await socket.status() == 101)
            sockets.append(socket)
        }
        let late = try await RawWebSocket.open(port: listener.port)
        #expect(try await late.status() == 0, "It is closed without an answer.")
        await sockets[0].close()
        try await eventually("there is room again") {
            let next = try await RawWebSocket.open(port: listener.port)
            return try await next.status() == 101
        }
        await listener.close()
    }

    @Test("A link is opened for who may open it: by the page, by the name of the host, by the token")
    func admission() async throws {
        let usual = try await listen(Echo())
        let strict = LinkAdmission(
            origins: ["https://console.example.com"],
            hosts: HostRule(listeningAt: "127.0.0.1", others: ["push.example.com"]),
            token: "secret"
        )
        let guarded = try await listen(Echo(), admission: strict)
        let right = "Authorization: Bearer secret"
        let table: [(port: Int, headers: [String], status: Int)] = [
            (usual.port, [], 101),
            (usual.port, ["Host: localhost:8080"], 101),
            (usual.port, ["Host: [::1]:8080"], 101),
            (usual.port, ["Host: 127.9.9.9"], 101),
            (usual.port, ["Host: evil.example"], 421),
            (usual.port, ["Host: 127.0.0.1.evil.example"], 421),
            (usual.port, ["Host: localhost.evil.example:8080"], 421),
            (usual.port, ["Origin: https://evil.example"], 403),
            (usual.port, ["Origin: null"], 403),
            (usual.port, ["Origin: http://127.0.0.1"], 403),
            (guarded.port, [], 401),
            (guarded.port, ["Authorization: Bearer wrong"], 401),
            (guarded.port, ["Authorization: Basic secret"], 401),
            (guarded.port, [right], 101),
            (guarded.port, [right, "Host: Push.Example.com"], 101),
            (guarded.port, [right, "Host: other.example.com"], 421),
            (guarded.port, [right, "Origin: https://console.example.com"], 101),
            (guarded.port, [right, "Origin: https://console.example.com.evil.example"], 403),
            (guarded.port, [right, "Origin: https://console.example.com", "Origin: https://evil.example"], 403),
        ]
        for (port, headers, status) in table {
            let socket = try await RawWebSocket.open(port: port, headers: headers)
            let found = try await socket.status()
            #expect(found == status, "\(headers)")
            if status != 101 {
                try await eventually("the connection is closed") { socket.isClosed }
                #expect(String(decoding: socket.received, as: UTF8.self).contains("{\"error\":\""))
            }
            await socket.close()
        }
        for listener in [usual, guarded] { await listener.close() }
    }
}
