import NIOCore
import NIOPosix
import NetworkSupport
import Synchronization
import TestSupport
import Testing

@testable import APNSTransport

/// RFC 9113, section 10.5: what a hostile client gets, and that nobody else has to suffer for it.
@Suite("A hostile client", .suiteLimit)
struct AbuseTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        /// The code of the GOAWAY that ends it.
        var code: UInt32

        init(_ name: String, _ frames: [WireFrame], _ code: UInt32) {
            testDescription = name
            bytes = frames.flatMap(\.bytes)
            self.code = code
        }
    }

    private static let request = WireFields.request()
    private static let later = WireFields.request("/later")

    /// `count` times the same few frames, on a stream of their own each.
    private static func each(_ count: Int, _ frames: (UInt32) -> [WireFrame]) -> [WireFrame] {
        (0..<count).flatMap { frames(UInt32($0 * 2 + 1)) }
    }

    static let calm: UInt32 = 11
    static let attacks = [
        Attack("rapid reset", each(2000) { [.headers($0, later), .reset($0)] }, calm),
        Attack(
            "rapid reset of unfinished requests",
            each(2000) { [.headers($0, later, end: false), .reset($0)] },
            calm
        ),
        Attack(
            "making the server reset: a broken window",
            each(2000) { [.headers($0, later), .windowUpdate($0, 0)] },
            calm
        ),
        Attack(
            "making the server reset: DATA after the end",
            each(2000) { [.headers($0, later), .data($0, [1])] },
            calm
        ),
        Attack(
            "making the server reset: malformed requests",
            each(2000) { [.headers($0, WireFields.block([("x", "y")]))] },
            calm
        ),
        Attack(
            "DATA on streams that are closed",
            each(1500) { [.headers($0, request), .data($0, [1])] },
            calm
        ),
        Attack(
            "CONTINUATION flood, empty",
            [.headers(1, request, endHeaders: false)] + (0..<200).map { _ in .continuation(1, [], end: false) },
            calm
        ),
        Attack(
            "CONTINUATION flood, full",
            [.headers(1, request, endHeaders: false)]
                + (0..<5).map { _ in .continuation(1, Array(repeating: 0x82, count: 16_000), end: false) },
            calm
        ),
        Attack("SETTINGS flood", (0..<200).map { _ in .settings() }, calm),
        Attack("SETTINGS flood, large", (0..<200).map { _ in .settings((0..<500).map { (1, UInt32($0)) }) }, calm),
        Attack("acknowledgement flood", (0..<200).map { _ in .settingsAck }, calm),
        Attack("PING flood", (0..<3000).map { _ in .ping() }, calm),
        Attack("PRIORITY flood", each(3000) { [.priority($0)] }, calm),
        Attack("WINDOW_UPDATE flood", (0..<3000).map { _ in .windowUpdate(0, 1) }, calm),
        Attack("RST_STREAM flood on a closed stream", [.headers(1, request)] + (0..<3000).map { _ in .reset(1) }, calm),
        Attack(
            "empty DATA flood",
            [.headers(1, request, end: false)] + (0..<3000).map { _ in .data(1, [], end: false) },
            calm
        ),
        Attack(
            "padded empty DATA flood",
            [.headers(1, request, end: false)] + (0..<3000).map { _ in .data(1, [], end: false, padding: 10) },
            calm
        ),
        Attack("flood of unknown frames", (0..<3000).map { _ in WireFrame(type: 0x77, payload: [1]) }, calm),
        Attack("GOAWAY flood", (0..<20).map { _ in .goAway(0) }, calm),
        Attack("an oversized frame", [WireFrame(type: 0, stream: 1, payload: Array(repeating: 0, count: 16_385))], 6),
        Attack(
            "bad padding",
            [.headers(1, request, end: false), WireFrame(type: 0, flags: 8, stream: 1, payload: [9, 1])],
            1
        ),
        Attack("a broken header block", [.headers(1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])], 9),
        Attack("more DATA than the connection's window", [.headers(1, request, end: false)], 3),
    ]

    @Test(arguments: attacks)
    func attack(_ attack: Attack) async throws {
        var configuration = APNSServer.Configuration()
        var bytes = attack.bytes
        if attack.code == 3 {
            // Nearly nothing is granted again before half of a window is used up; a window of one octet needs no wait.
            configuration.limits.connectionWindowBytes = 1
            bytes += WireFrame.data(1, [1, 2], end: false).bytes
        }
        // What grows back while the bytes are on their way must not save a slow machine's attacker.
        configuration.limits.resets.perSecond = 1
        configuration.limits.chatter.perSecond = 1
        configuration.limits.settings.perSecond = 1
        try await withServer(configuration) { port in
            try await Bystander.beside(port) { bystander in
                let attacker = try await RawClient.connect(port: port)
                attacker.send(bytes)
                try await bystander.asks()
                #expect(await attacker.ending() == attack.code)
                await attacker.close()
            }
        }
    }

    /// Unfinished beginnings of a connection, by the octets that follow the TLS handshake.
    static let stalls: [(String, [UInt8])] = {
        let hello = WireFrame.preface + WireFrame.settings().bytes
        let long = WireFrame.headers(1, request).bytes
        return [
            ("no preface", []), ("half a preface", Array(WireFrame.preface[..<10])), ("no SETTINGS", WireFrame.preface),
            ("half of SETTINGS", Array(hello.dropLast(4))), ("half of a frame's header", hello + long[..<5]),
            ("half of a frame", hello + long.dropLast(1)),
            ("HEADERS without CONTINUATION", hello + WireFrame.headers(1, request, endHeaders: false).bytes),
            (
                "a few CONTINUATION",
                hello + WireFrame.headers(1, request, endHeaders: false).bytes
                    + (0..<20).flatMap { _ in WireFrame.continuation(1, [], end: false).bytes }
            ),
            ("a request without its end", hello + WireFrame.headers(1, request, end: false).bytes),
            (
                "a window of zero",
                WireFrame.preface + WireFrame.settings([(4, 0)]).bytes
                    + WireFrame.headers(1, WireFields.request("/body")).bytes
            ),
        ]
    }()

    @Test("A peer that begins something and does not continue is disconnected", arguments: stalls)
    func stall(_ name: String, _ bytes: [UInt8]) async throws {
        var configuration = APNSServer.Configuration()
        configuration.stallLimit = .seconds(3)
        try await withServer(configuration) { port in
            try await Bystander.beside(port) { bystander in
                let client = try await RawClient.connect(port: port, isGreeting: false)
                client.send(bytes)
                try await bystander.asks()
                #expect(await client.ending() == Self.calm)
                await client.log.waitUntilClosed()
            }
        }
    }

    /// Frames by which a client that owes the end of a request shows that it is there.
    static let signsOfLife: [WireFrame] = [.ping(), .settings(), .windowUpdate(0, 1), .priority(1)]

    @Test("Signs of life do not keep a request that does not go on", arguments: signsOfLife)
    func keptRequest(_ sign: WireFrame) async throws {
        var configuration = APNSServer.Configuration()
        configuration.stallLimit = .seconds(1)
        try await withServer(configuration) { port in
            let client = try await RawClient.connect(port: port)
            client.send(.headers(1, Self.request, end: false))
            client.repeat(sign, every: .milliseconds(50))
            #expect(await client.ending() == Self.calm)
            await client.log.waitUntilClosed()
        }
    }

    @Test("A request that comes bit by bit is reset in the end, and its connection goes on")
    func trickledRequest() async throws {
        var configuration = APNSServer.Configuration()
        configuration.stallLimit = .seconds(1)
        configuration.limits.requestTime = 1000
        try await withServer(configuration) { port in
            let client = try await RawClient.connect(port: port)
            client.send(.headers(1, Self.request, end: false))
            client.repeat(.data(1, [1], end: false), every: .milliseconds(50))
            await client.log.wait { frames in frames.contains { $0 == .reset(1, Self.calm) || $0.isGoAway } }
            #expect(client.log.frames.contains(.reset(1, Self.calm)))
            client.send(.headers(3, Self.request))
            await client.log.wait { frames in frames.contains { $0.stream == 3 && $0.endsStream } }
            #expect(client.log.frames.contains { $0.type == 1 && $0.stream == 3 })
            await client.close()
        }
    }

    @Test("A connection that is one too many is closed before its handshake; one that ends makes room")
    func quota() async throws {
        var configuration = APNSServer.Configuration.patient
        let quota = ConnectionQuota(limit: 2)
        configuration.quota = quota
        try await withServer(configuration) { port in
            let first = try await RawClient.connect(port: port)
            let second = try await RawClient.connect(port: port)
            await first.settle()
            await second.settle()
            let third = try await RawClient.connect(port: port)
            await third.log.waitUntilClosed()
            #expect(third.log.frames.isEmpty)
            await second.settle(Array("go on???".utf8))
            #expect(second.log.goAway == nil)
            await first.close()
            try await eventually("there is room") { quota.count < 2 }
            let fourth = try await RawClient.connect(port: port)
            await fourth.settle()
            #expect(!fourth.log.isClosed)
            await fourth.close()
            await second.close()
        }
    }

    /// Trusts whoever has made a request.
    private final class Trusting: APNSRequestHandler {
        private let wasAsked = Atomic(false)
        var trustsPeer: Bool { wasAsked.load(ordering: .relaxed) }

        func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
            wasAsked.store(true, ordering: .relaxed)
            return true
        }

        func closed() {}
    }

    @Test("PING keeps an authenticated connection open, but not an unauthenticated one")
    func idleUnauthenticated() async throws {
        var configuration = APNSServer.Configuration.patient
        configuration.unauthenticatedIdleLimit = .seconds(1)
        let server = try await startServer(configuration) { _ in Trusting() }
        let known = try await RawClient.connect(port: server.port)
        known.send(.headers(1, Self.request))
        known.repeat(.ping(), every: .milliseconds(50))
        await known.log.wait { frames in frames.contains { $0.stream == 1 && $0.endsStream } }
        let stranger = try await RawClient.connect(port: server.port)
        stranger.repeat(.ping(), every: .milliseconds(50))
        #expect(await stranger.ending() == 0)
        await stranger.log.waitUntilClosed()
        #expect(known.log.goAway == nil)
        await known.close()
        await server.shutDown()
    }

    @Test("So is who does not even shake hands")
    func noHandshake() async throws {
        var configuration = APNSServer.Configuration()
        configuration.stallLimit = .seconds(1)
        try await withServer(configuration) { port in
            try await Bystander.beside(port) { bystander in
                let client = try await RawClient.connect(port: port, isGreeting: false, hasTLS: false)
                try await bystander.asks()
                await client.log.waitUntilClosed()
                #expect(client.log.isClosed)
            }
        }
    }

    @Test("A quiet connection that owes nothing is left alone")
    func quiet() async throws {
        var configuration = APNSServer.Configuration()
        configuration.stallLimit = .seconds(2)
        try await withServer(configuration) { port in
            let quiet = try await RawClient.connect(port: port)
            await quiet.settle(Array("at first".utf8))
            // Another one runs into the limit meanwhile.
            let other = try await RawClient.connect(port: port, isGreeting: false)
            #expect(await other.ending() == Self.calm)
            await other.close()
            await quiet.settle()
            #expect(quiet.log.goAway == nil)
            await quiet.close()
        }
    }

    @Test("Header lists that are too large, or that grow in decoding, are answered with 431 and cost nothing else")
    func headerBombs() async throws {
        let value = String(repeating: "v", count: 3900)
        let remembered = [0x40 as UInt8] + WireFields.string([0x61]) + WireFields.string(Array(value.utf8))
        let bombs = [
            WireFields.request("/", [("x", String(repeating: "v", count: 8001))]),
            WireFields.request("/", (0..<230).map { ("x\($0)", "") }),
            Self.request + remembered + Array(repeating: 0xBE, count: 12_000),
            Self.request + [0x0F, 62 - 15, 0] + Array(repeating: 0x90, count: 12_000),
        ]
        try await withServer { port in
            try await Bystander.beside(port) { bystander in
                let client = try await RawClient.connect(port: port)
                for (index, bomb) in bombs.enumerated() { client.send(.headers(UInt32(index * 2 + 1), bomb)) }
                client.send(.headers(99, Self.request))
                try await bystander.asks()
                await client.settle()
                let reader = BlockReader()
                let statuses = try client.log.frames.filter { $0.type == 1 }.map { try reader.block($0.payload).status }
                #expect(statuses == [431, 431, 431, 431, 200])
                #expect(client.log.goAway == nil)
                await client.close()
            }
        }
    }

    @Test("Much in unfinished messages ends the connection")
    func heldBytes() async throws {
        var configuration = APNSServer.Configuration()
        configuration.limits.heldBytes = 100_000
        try await withServer(configuration) { port in
            try await Bystander.beside(port) { bystander in
                let client = try await RawClient.connect(port: port)
                client.send(
                    Self.each(20) {
                        [
                            .headers($0, Self.request, end: false),
                            .data($0, Array(repeating: 1, count: 8000), end: false),
                        ]
                    }
                )
                try await bystander.asks()
                #expect(await client.ending() == Self.calm)
                await client.close()
            }
        }
    }

    /// Counts what it answers.
    private final class Counter: APNSRequestHandler {
        let count = Atomic(0)
        private let close: @Sendable () -> Void

        init(close: @escaping @Sendable () -> Void) { self.close = close }

        func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
            count.wrappingAdd(1, ordering: .relaxed)
            answer = HTTP2Answer(status: 400, body: Array(repeating: 0x61, count: 1000))
            return true
        }

        func closed() { close() }
    }

    @Test("A peer that never reads is not read from, and is disconnected in the end")
    func neverReads() async throws {
        var configuration = APNSServer.Configuration()
        configuration.stallLimit = .seconds(3)
        let (closed, close) = AsyncStream.makeStream(of: Void.self)
        let counter = Counter { close.finish() }
        let connections = Atomic(0)
        let server = try await startServer(configuration) { _ -> any APNSRequestHandler in
            // The bystander's connection is the first.
            connections.wrappingAdd(1, ordering: .relaxed).newValue == 1 ? EchoExchange() : counter
        }
        // 40 MB of answers, were they all given.
        let count = 40_000
        try await Bystander.beside(server.port) { bystander in
            let client = try await RawClient.connect(port: server.port, isReading: false)
            client.send(.settings([(4, 0x7FFF_FFFF)]), .windowUpdate(0, 0x7000_0000))
            // 64 octets each, so that a TLS record ends with a frame, and what stops is owed nothing.
            let block = [0x83, 0x87, 0x04, 51] + Array(repeating: UInt8(ascii: "/"), count: 51)
            client.send(Self.each(count) { [.headers($0, block)] })
            try await bystander.asks()
            for await _ in closed {}
            let answered = counter.count.load(ordering: .relaxed)
            #expect(answered < count / 2)
            await client.close()
        }
        await server.shutDown()
    }
}
