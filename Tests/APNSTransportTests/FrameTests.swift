import TestSupport
import Testing

@testable import APNSTransport

/// RFC 9113, sections 4 and 6.
@Suite("Frames: read and written", .suiteLimit)
struct FrameTests {
    /// A conversation in which every kind of frame occurs that the role may hear.
    private func everything(_ role: HTTP2Machine.Role) -> [WireFrame] {
        let common: [WireFrame] = [
            .settings([(3, 100), (4, 100_000), (0x99, 1)]), .settingsAck, .ping(),
            .ping([9, 9, 9, 9, 9, 9, 9, 9], ack: true),
            .windowUpdate(0, 1000), WireFrame(type: 0x42, flags: 0xFF, stream: 1, payload: [1, 2, 3]),
        ]
        switch role {
        case .server:
            let block = WireFields.request("/3/device/ab", [("apns-topic", "com.example"), ("x-own", "value")])
            return common + [
                .headers(1, block, padding: 7), .priority(1),
                .headers(3, block, end: false, priority: [0, 0, 0, 1, 200]),
                .data(3, [1, 2, 3], end: false, padding: 0),
                .windowUpdate(3, 5), .data(3, [], end: false), .data(3, [4, 5], padding: 255),
                .headers(5, Array(block[..<10]), end: false, endHeaders: false),
                .continuation(5, Array(block[10..<11]), end: false), .continuation(5, [], end: false),
                .continuation(5, Array(block[11...])), .data(5, [7], end: false),
                .headers(5, WireFields.block([("trailer", "x")])), .headers(7, block, end: false), .reset(7),
                .headers(9, block, end: false, padding: 3, priority: [0, 0, 0, 0, 0]), .data(9, [], padding: 9),
                .goAway(0, 0, Array("bye".utf8)), .headers(11, block),
            ]
        case .client:
            return common + [
                .headers(1, WireFields.answer(100), end: false), .headers(1, WireFields.answer(200)),
                .headers(3, WireFields.answer(400, [("apns-id", "x")]), end: false, padding: 2),
                .data(3, Array("{}".utf8), padding: 1), .headers(5, WireFields.answer(), end: false, endHeaders: false),
                .continuation(5, WireFields.block([("apns-unique-id", "y")])), .data(5, [1], end: false),
                .headers(5, WireFields.block([("trailer", "x")])), .reset(7, 7), .goAway(9, 0, Array("{}".utf8)),
                .headers(9, WireFields.answer(503)),
            ]
        }
    }

    /// The result when the octets arrive in these pieces.
    private func story(_ role: HTTP2Machine.Role, _ pieces: [[UInt8]]) throws -> [String] {
        let bench = try Bench(role, greeted: false)
        if role == .server { try bench.feed(WireFrame.preface) }
        if role == .client { for _ in 0..<5 { bench.open() } }
        var story: [String] = []
        for piece in pieces {
            try bench.feed(piece)
            for event in bench.takeEvents() {
                story.append("\(event)")
                guard case .message(let stream) = event, let taken = bench.take(stream) else { continue }
                story.append("\(taken)")
                bench.answer(stream, HTTP2Answer(status: 200, body: [1, 2, 3]))
            }
        }
        // Answers leave when they are asked for; where the reading stops is no matter to what is said.
        return story + bench.takeFrames().map { "\($0) \($0.payload)" }
    }

    @Test("Cut in two anywhere, the octets mean the same", arguments: [HTTP2Machine.Role.server, .client])
    func cutInTwo(_ role: HTTP2Machine.Role) throws {
        let bytes = everything(role).flatMap(\.bytes)
        let whole = try story(role, [bytes])
        #expect(whole.count > 15)
        for cut in 0...bytes.count {
            let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
            let story = try story(role, parts)
            if story != whole { #expect(story == whole, "cut at \(cut)") }
        }
    }

    @Test("Octet by octet, and in pieces of any size", arguments: [HTTP2Machine.Role.server, .client])
    func pieces(_ role: HTTP2Machine.Role) throws {
        let bytes = everything(role).flatMap(\.bytes)
        let whole = try story(role, [bytes])
        for size in 1...60 {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(try story(role, pieces) == whole)
        }
    }

    @Test("Reads the header of a frame without its reserved bit")
    func header() {
        let bytes: [UInt8] = [0, 0x12, 0x34, 0x42, 0xA5, 0xFF, 0xFF, 0xFF, 0xFE]
        let header = FrameHeader(bytes.span)
        let expected = FrameHeader(
            length: 0x1234,
            type: FrameType(rawValue: 0x42),
            flags: FrameFlags(rawValue: 0xA5),
            streamID: 0x7FFF_FFFE
        )
        #expect(header == expected)
    }

    @Test("Writes frames as the RFC draws them")
    func writing() {
        var output = WireBytes()
        output.writeSettings([HTTP2Setting(.maxConcurrentStreams, 1000), HTTP2Setting(.initialWindowSize, 1 << 20)])
        output.writeSettingsAck()
        output.writePing(0x0102_0304_0506_0708, isAck: false)
        output.writePing(1, isAck: true)
        output.writeReset(5, .cancel)
        output.writeGoAway(lastStreamID: 7, .enhanceYourCalm, [1, 2])
        output.writeWindowUpdate(3, by: 0x7FFF_FFFF)
        output.writeFrameHeader(FrameHeader(length: 0xFF_FFFF, type: .data, flags: .endStream, streamID: 0x7FFF_FFFF))
        let expected: [WireFrame] = [
            .settings([(3, 1000), (4, 1 << 20)]), .settingsAck, .ping(), .ping([0, 0, 0, 0, 0, 0, 0, 1], ack: true),
            .reset(5, 8), .goAway(7, 11, [1, 2]), .windowUpdate(3, 0x7FFF_FFFF),
        ]
        let last: [UInt8] = [0xFF, 0xFF, 0xFF, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF]
        #expect(output.array == expected.flatMap(\.bytes) + last)
    }

    @Test("Each side begins as it has to")
    func beginnings() throws {
        let client = try Bench(.client, greeted: false).takeBytes()
        #expect(client.starts(with: WireFrame.preface))
        var rest = Array(client.dropFirst(WireFrame.preface.count))
        let window: WireFrame = .windowUpdate(0, (16 << 20) - 65_535)
        #expect(WireFrame.take(from: &rest) == [.settings([(2, 0), (4, 1 << 20), (6, 8000)]), window])
        #expect(rest == [])
        let server = try Bench(.server, greeted: false).takeFrames()
        #expect(server == [.settings([(3, 1000), (4, 1 << 20), (6, 8000)]), window])
    }
}

/// RFC 9113, section 6.5.
@Suite("Settings", .suiteLimit)
struct SettingsTests {
    @Test(
        "Values at and beyond the edges of what may be",
        arguments: [
            (1, 0, nil), (1, 4_294_967_295, nil), (2, 0, nil), (2, 1, nil), (2, 2, .protocolError),
            (2, 4_294_967_295, .protocolError), (3, 0, nil), (3, 4_294_967_295, nil), (4, 0, nil),
            (4, 2_147_483_647, nil),
            (4, 2_147_483_648, .flowControlError), (4, 4_294_967_295, .flowControlError), (5, 16_384, nil),
            (5, 16_777_215, nil), (5, 16_383, .protocolError), (5, 16_777_216, .protocolError), (5, 0, .protocolError),
            (6, 0, nil), (6, 4_294_967_295, nil), (0, 1, nil), (7, 7, nil), (8, 1, nil), (65_535, 4_294_967_295, nil),
        ] as [(UInt16, UInt32, HTTP2ErrorCode?)]
    )
    func values(_ identifier: UInt16, _ value: UInt32, _ code: HTTP2ErrorCode?) throws {
        let bench = try Bench(.server)
        #expect(bench.failure(.settings([(identifier, value)])) == code)
        if code == nil {
            #expect(bench.takeFrames() == [.settingsAck])
            #expect(bench.events == [.settings])
        }
    }

    @Test("A server never announces push")
    func pushFromServer() throws {
        #expect(try Bench(.client).failure(.settings([(2, 1)])) == .protocolError)
        #expect(try Bench(.client).failure(.settings([(2, 0)])) == nil)
    }

    @Test("Each SETTINGS is acknowledged once, an acknowledgement is not")
    func acknowledged() throws {
        let bench = try Bench(.server)
        try bench.feed(.settings(), .settingsAck, .settings([(3, 5)]), .settingsAck)
        #expect(bench.takeFrames() == [.settingsAck, .settingsAck])
    }

    @Test("The stream limit is 100 until it is known, then what was said last")
    func streamLimit() throws {
        let bench = try Bench(.client, greeted: false)
        #expect(bench.machine.streamLimit == 100)
        #expect(!bench.hasSettings)
        try bench.feed(.settings())
        #expect(bench.machine.streamLimit == Int(Int32.max))
        try bench.feed(.settings([(3, 7), (3, 2)] as [(UInt16, UInt32)]))
        #expect(bench.machine.streamLimit == 2)
        bench.open()
        #expect(bench.canOpen)
        bench.open()
        #expect(!bench.canOpen)
        try bench.feed(.settings([(3, 0)]))
        try bench.feed(.headers(1, WireFields.answer()), .headers(3, WireFields.answer()))
        _ = bench.take(1)
        _ = bench.take(3)
        #expect(bench.machine.openStreams == 0)
        #expect(!bench.canOpen)
        try bench.feed(.settings([(3, 1)]))
        #expect(bench.canOpen)
    }

    @Test(
        "A smaller header table is announced before the next block, and heads stay right",
        arguments: [0, 1, 40, 100, 4096, 65_536] as [UInt32]
    )
    func headerTableSize(_ size: UInt32) throws {
        let client = try Bench(.client)
        let server = try Bench(.server)
        let head = HTTP2RequestHead(fields: [
            ("apns-topic", "com.example"), ("authorization", "bearer abc"), ("x-own", "1"),
        ])
        for round in 0..<8 {
            let settings: [(UInt16, UInt32)] = [(1, 10), (1, size)]
            if round == 3 { try client.feed(.settings(settings)) }
            let stream = client.open(head: head, path: "/\(round)", fields: [("apns-id", "id-\(round)")])
            let frames = client.takeFrames().filter { $0.type == 1 }
            if round == 3 {
                var update = WireFields.integer(min(10, Int(size)), prefix: 5, pattern: 0x20)
                if size > 10 { update += WireFields.integer(min(4096, Int(size)), prefix: 5, pattern: 0x20) }
                #expect(frames.first?.payload.starts(with: update) == true)
            }
            try server.feed(frames)
            #expect(
                server.take(stream)?.fields == [
                    ":method: POST", ":scheme: https", ":authority: localhost", ":path: /\(round)",
                    "apns-topic: com.example",
                    "authorization: bearer abc", "x-own: 1", "apns-id: id-\(round)",
                ]
            )
        }
    }
}
