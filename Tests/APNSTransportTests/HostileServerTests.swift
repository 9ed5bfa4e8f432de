import NIOCore
import NIOPosix
import NIOSSL
import NetworkSupport
import TestSupport
import Testing

@testable import APNSTransport

@Suite("A hostile server", .suiteLimit)
struct HostileServerTests {
    struct Hostility: Sendable, CustomTestStringConvertible {
        enum Ending: Sendable {
            /// The request is answered with this status.
            case answered(Int)
            /// The request fails; our side ends the connection with this code.
            case connectionError(UInt32)
            /// The request fails; our side resets its stream with this code.
            case streamError(UInt32)
            /// The request fails.
            case failure
        }

        var testDescription: String
        /// The frames that answer a request on stream 1.
        var bytes: [UInt8]
        var ending: Ending

        init(_ name: String, _ frames: [WireFrame], _ ending: Ending) {
            self.init(name, octets: frames.flatMap(\.bytes), ending)
        }

        init(_ name: String, octets: [UInt8], _ ending: Ending) {
            testDescription = name
            bytes = octets
            self.ending = ending
        }
    }

    private static func many(_ count: Int, _ frame: WireFrame) -> [WireFrame] { Array(repeating: frame, count: count) }

    private static let ok = WireFields.answer()
    private static let bomb =
        ok + [0x40] + WireFields.string([0x61]) + WireFields.string(Array(repeating: 0x76, count: 3900))
        + Array(repeating: 0xBE, count: 12_000)

    static let hostilities = [
        Hostility("none: an answer", [.headers(1, ok)], .answered(200)),
        Hostility(
            "one large SETTINGS, then an answer",
            [.settings((0..<2700).map { (UInt16($0 % 60_000 + 100), 1) }), .headers(1, ok)],
            .answered(200)
        ),
        Hostility("SETTINGS for ever", many(200, .settings([(3, 1)])), .connectionError(11)),
        Hostility(
            "SETTINGS that move the windows for ever",
            (0..<200).map { .settings([(4, UInt32($0))]) },
            .connectionError(11)
        ),
        Hostility("an initial window beyond all", [.settings([(4, 0xFFFF_FFFF)])], .connectionError(3)),
        Hostility("push allowed", [.settings([(2, 1)])], .connectionError(1)),
        Hostility(
            "GOAWAY again and again, ever lower",
            (0..<20).map { .goAway(UInt32(100 - $0)) },
            .connectionError(11)
        ),
        Hostility("GOAWAY that names no stream", [.goAway(0, 0, Array("not JSON".utf8))], .failure),
        Hostility("GOAWAY of seven octets", [WireFrame(type: 7, payload: [0, 0, 0, 0, 0, 0, 0])], .connectionError(6)),
        Hostility(
            "interim answers for ever",
            many(100, .headers(1, WireFields.answer(100), end: false)),
            .streamError(11)
        ),
        Hostility("a change of protocol", [.headers(1, WireFields.answer(101), end: false)], .streamError(1)),
        Hostility("PUSH_PROMISE", [.pushPromise(1, 2, ok)], .connectionError(1)),
        Hostility("an answer on a stream of the server's", [.headers(2, ok)], .connectionError(1)),
        Hostility("an answer on a stream that was never opened", [.headers(5, ok)], .connectionError(1)),
        Hostility("DATA on a stream that was never opened", [.data(5, [1])], .connectionError(1)),
        Hostility("a header block that decodes to megabytes", [.headers(1, bomb)], .streamError(1)),
        Hostility("a header block that cannot be decoded", [.headers(1, [0x80])], .connectionError(9)),
        Hostility(
            "a header block without end",
            [.headers(1, ok, endHeaders: false)] + many(200, .continuation(1, [], end: false)),
            .connectionError(11)
        ),
        Hostility(
            "a header block of megabytes",
            [.headers(1, ok, endHeaders: false)]
                + many(20, .continuation(1, Array(repeating: 0x88, count: 16_000), end: false)),
            .connectionError(11)
        ),
        Hostility(
            "trailers without end",
            [.headers(1, ok, end: false)] + many(100, .headers(1, WireFields.block([("x", "y")]), end: false)),
            .streamError(1)
        ),
        Hostility("DATA before the fields", [.data(1, [1], end: false)], .streamError(1)),
        Hostility("a status that is none", [.headers(1, WireFields.block([(":status", "abc")]))], .streamError(1)),
        Hostility("no status", [.headers(1, WireFields.block([("x", "y")]))], .streamError(1)),
        Hostility("an upper-case name", [.headers(1, WireFields.answer(200, [("X", "y")]))], .streamError(1)),
        Hostility(
            "a value with a line break",
            [.headers(1, WireFields.answer(200, [("x", "a\r\nb")]))],
            .streamError(1)
        ),
        Hostility(
            "a length that is not kept to",
            [.headers(1, WireFields.answer(200, [("content-length", "5")]), end: false), .data(1, [1])],
            .streamError(1)
        ),
        Hostility("RST_STREAM for ever", many(3000, .reset(1)), .connectionError(11)),
        Hostility("refused", [.reset(1, 7)], .failure),
        Hostility("PING for ever", many(3000, .ping()), .connectionError(11)),
        Hostility(
            "empty DATA for ever",
            [.headers(1, ok, end: false)] + many(3000, .data(1, [], end: false)),
            .connectionError(11)
        ),
        Hostility(
            "an oversized frame",
            [WireFrame(type: 0, stream: 1, payload: Array(repeating: 0, count: 16_385))],
            .connectionError(6)
        ),
        Hostility("HTTP/1.1", octets: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), .connectionError(6)),
        Hostility("a stream window that overflows", [.windowUpdate(1, 0x7FFF_FFFF)], .streamError(3)),
        Hostility("a connection window that overflows", [.windowUpdate(0, 0x7FFF_FFFF)], .connectionError(3)),
    ]

    private func connect(_ server: RawServer, stallLimit: TimeAmount = .seconds(20)) async throws -> APNSConnection {
        var limits = HTTP2Limits()
        limits.chatter.perSecond = 1
        limits.settings.perSecond = 1
        return try await APNSConnection.connect(
            to: .init(
                host: "127.0.0.1",
                port: server.port,
                serverName: "localhost",
                trustRoots: .certificates([try TestIdentity.certificate()])
            ),
            group: MultiThreadedEventLoopGroup.singleton,
            limits: limits,
            stallLimit: stallLimit,
            events: { _ in }
        )
    }

    private func request(_ connection: APNSConnection) async -> Result<APNSAnswer, APNSStreamFailure> {
        do {
            let request = APNSRequest(method: "POST", path: "/3/device/00", headers: [("apns-id", "x")], body: [])
            return .success(try await connection.send(request, id: connection.newID()))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: hostilities)
    func ends(_ hostility: Hostility) async throws {
        let server = try await RawServer.start { frame in
            switch frame.type {
            case 1: hostility.bytes
            // An answer after the end comes too late.
            case 7: WireFrame.headers(1, Self.ok).bytes
            default: []
            }
        }
        let connection = try await connect(server)
        let outcome = await request(connection)
        switch hostility.ending {
        case .answered(let status): #expect(try outcome.get().status == status)
        case .failure: #expect(throws: APNSStreamFailure.self) { try outcome.get() }
        case .connectionError(let code):
            #expect(throws: APNSStreamFailure.self) { try outcome.get() }
            await server.log.wait { frames in frames.contains { $0.isGoAway } }
            #expect(server.log.goAway?.errorCode == code)
            // Nothing starts on it any more.
            let next = await request(connection)
            #expect(throws: APNSStreamFailure.self) { try next.get() }
        case .streamError(let code):
            #expect(throws: APNSStreamFailure.self) { try outcome.get() }
            await server.log.wait { frames in frames.contains { $0.isReset } }
            #expect(server.log.frames.first { $0.isReset }?.errorCode == code)
        }
        connection.close()
        await connection.waitUntilClosed()
        await server.stop()
    }

    @Test("A stream limit of zero holds requests back; giving up ends them, and they were not processed")
    func streamLimitZero() async throws {
        let server = try await RawServer.start(greeting: [.settings([(3, 0)])]) { _ in [] }
        let connection = try await connect(server)
        let waiting = Task { await request(connection) }
        waiting.cancel()
        let outcome = await waiting.value
        guard case .failure(let failure) = outcome else {
            Issue.record("There is an answer: \(outcome)")
            return
        }
        #expect(failure.fate == .notProcessed)
        #expect(!server.log.frames.contains { $0.type == 1 })
        connection.close()
        await server.stop()
    }

    @Test("A server that says nothing but TLS is given up in time")
    func noSettings() async throws {
        let server = try await RawServer.start(greeting: []) { _ in [] }
        await #expect(throws: (any Error).self) { try await connect(server, stallLimit: .milliseconds(100)) }
        await server.stop()
    }

    @Test(
        "An answer that stops in the middle of a frame or a header block fails its request",
        arguments: [
            Array(WireFrame.headers(1, ok).bytes.dropLast(2)), WireFrame.headers(1, ok, endHeaders: false).bytes,
        ]
    )
    func stops(_ bytes: [UInt8]) async throws {
        let server = try await RawServer.start { $0.type == 1 ? bytes : [] }
        let connection = try await connect(server, stallLimit: .seconds(3))
        let outcome = await request(connection)
        #expect(throws: APNSStreamFailure.self) { try outcome.get() }
        connection.close()
        await server.stop()
    }
}
