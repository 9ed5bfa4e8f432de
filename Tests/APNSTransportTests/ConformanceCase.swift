import Testing

/// One rule of HTTP/2 or HPACK: what a client sends behind its preface and SETTINGS, and what has to come of it.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// The reaction that the RFC demands.
    enum Reaction: Sendable {
        /// GOAWAY with one of these codes.
        case connectionError([UInt32])
        /// RST_STREAM with one of these codes, and the connection goes on. By RFC 9113, section 5.4.1, it may end as well.
        case streamError(UInt32, [UInt32])
        /// These streams are answered, with a status each, and no other is.
        case answered([UInt32: Int])
        /// This many octets of body on that stream, so far.
        case body(UInt32, [Int])
        /// A PING with these octets comes back.
        case pong([UInt8])
        /// Nothing but the answer to the probe.
        case nothing
    }

    var section: String
    var name: String
    var bytes: [UInt8]
    var reaction: Reaction
    /// Whether the preface and an empty SETTINGS go before it.
    var isGreeting = true

    var testDescription: String { "\(section): \(name)" }

    init(_ section: String, _ name: String, _ frames: [WireFrame], _ reaction: Reaction) {
        self.init(section, name, octets: frames.flatMap(\.bytes), reaction)
    }

    init(_ section: String, _ name: String, octets: [UInt8], _ reaction: Reaction, isGreeting: Bool = true) {
        self.section = section
        self.name = name
        bytes = octets
        self.reaction = reaction
        self.isGreeting = isGreeting
    }
}

extension ConformanceCase {
    static let protocolError = Reaction.connectionError([1])
    static let flowControlError = Reaction.connectionError([3])
    static let streamClosed = Reaction.connectionError([5])
    static let frameSizeError = Reaction.connectionError([6])
    static let compressionError = Reaction.connectionError([9])
    /// The stream of the request is reset with PROTOCOL_ERROR.
    static let reset = Reaction.streamError(1, [1])
    static let served = Reaction.answered([1: 200])

    static let request = WireFields.request()
    static let later = WireFields.request("/later")
    static let wide: [UInt8] = Array(repeating: 0x61, count: 16_384)

    /// A request with these fields is malformed: RFC 9113, section 8.1.1, makes that a stream error.
    static func malformed(_ section: String, _ name: String, _ fields: [(String, String)]) -> ConformanceCase {
        ConformanceCase(section, name, [.headers(1, WireFields.block(fields))], reset)
    }

    static func allowed(_ section: String, _ name: String, _ fields: [(String, String)]) -> ConformanceCase {
        ConformanceCase(section, name, [.headers(1, WireFields.block(fields))], served)
    }

    /// A header block that cannot be decoded.
    static func compression(_ section: String, _ name: String, _ digits: String) -> ConformanceCase {
        ConformanceCase(section, name, [.headers(1, request + hex(digits))], compressionError)
    }

    static let pseudo = [
        (":method", "POST"), (":scheme", "https"), (":path", "/3/device/00"), (":authority", "localhost"),
    ]

    static let all = connection + framing + states + frames + messages + hpack

    // MARK: - Section 3

    static let connection: [ConformanceCase] = [
        .init("3.4", "the preface, then SETTINGS", [.headers(1, request)], served),
        .init("3.4", "another preface", octets: Array("GET / HTTP/1.1\r\n\r\n".utf8), protocolError, isGreeting: false),
        .init(
            "3.4",
            "a preface that differs at its end",
            octets: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r".utf8),
            protocolError,
            isGreeting: false
        ),
        .init(
            "3.4",
            "HEADERS before SETTINGS",
            octets: WireFrame.preface + WireFrame.headers(1, request).bytes,
            protocolError,
            isGreeting: false
        ),
        .init(
            "3.4",
            "PING before SETTINGS",
            octets: WireFrame.preface + WireFrame.ping().bytes,
            protocolError,
            isGreeting: false
        ),
        .init(
            "3.4",
            "an acknowledgement before SETTINGS",
            octets: WireFrame.preface + WireFrame.settingsAck.bytes,
            protocolError,
            isGreeting: false
        ),
        .init(
            "3.4",
            "SETTINGS with values come first",
            octets: WireFrame.preface + WireFrame.settings([(3, 1), (4, 70_000)]).bytes
                + WireFrame.headers(1, request).bytes,
            served,
            isGreeting: false
        ),
    ]

    // MARK: - Section 4

    static let framing: [ConformanceCase] = [
        .init(
            "4.1",
            "an unknown type of frame",
            [WireFrame(type: 0x16, payload: [1, 2, 3]), .headers(1, request)],
            served
        ),
        .init(
            "4.1",
            "flags that are not defined",
            [WireFrame(type: 6, flags: 0x16, payload: [1, 2, 3, 4, 5, 6, 7, 8])],
            .pong([1, 2, 3, 4, 5, 6, 7, 8])
        ),
        .init(
            "4.1",
            "the reserved bit of the stream is set",
            octets: [0, 0, 8, 6, 0, 0x80, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1],
            .pong([8, 7, 6, 5, 4, 3, 2, 1])
        ),
        .init(
            "4.1",
            "the reserved bit of a request is set",
            [WireFrame(type: 1, flags: 5, stream: 0x8000_0001, payload: request)],
            served
        ),
        .init("4.2", "DATA of 2^14 octets", [.headers(1, request, end: false), .data(1, wide)], served),
        .init("4.2", "DATA of more", [.headers(1, request, end: false), .data(1, wide + [1])], frameSizeError),
        .init(
            "4.2",
            "HEADERS of 2^14 octets",
            [.headers(1, request + Array(repeating: 0x90, count: 16_384 - request.count))],
            .answered([1: 431])
        ),
        .init("4.2", "HEADERS of more", [.headers(1, Array(repeating: 0x82, count: 16_385))], frameSizeError),
        .init(
            "4.2",
            "CONTINUATION of more",
            [.headers(1, request, endHeaders: false), .continuation(1, wide + [1])],
            frameSizeError
        ),
        .init("4.2", "an unknown frame of more", [WireFrame(type: 0x16, payload: wide + [1])], frameSizeError),
        .init("4.3", "a header block that is none", [.headers(1, [0x40])], compressionError),
        .init(
            "4.3",
            "a broken header block in CONTINUATION",
            [.headers(1, request, endHeaders: false), .continuation(1, [0x40])],
            compressionError
        ),
        .init(
            "4.3",
            "a broken header block as trailers",
            [.headers(1, request, end: false), .headers(1, [0x80])],
            compressionError
        ),
        .init(
            "4.3",
            "PRIORITY inside a header block",
            [.headers(1, request, endHeaders: false), .priority(1), .continuation(1, [])],
            protocolError
        ),
        .init(
            "4.3",
            "HEADERS of another stream inside a header block",
            [.headers(1, request, endHeaders: false), .headers(3, request)],
            protocolError
        ),
        .init("4.3", "PING inside a header block", [.headers(1, request, endHeaders: false), .ping()], protocolError),
        .init("4.3", "an empty header block", [.headers(1, [])], reset),
    ]

    // MARK: - Section 5

    static let states: [ConformanceCase] = [
        .init("5.1", "idle: DATA", [.data(1, [1])], protocolError),
        .init("5.1", "idle: RST_STREAM", [.reset(1)], protocolError),
        .init("5.1", "idle: WINDOW_UPDATE", [.windowUpdate(1, 100)], protocolError),
        .init("5.1", "idle: CONTINUATION", [.continuation(1, request)], protocolError),
        .init("5.1", "idle: PRIORITY is allowed", [.priority(1), .headers(1, request)], served),
        .init("5.1", "half-closed: DATA", [.headers(1, later), .data(1, [1])], .streamError(1, [5])),
        .init("5.1", "half-closed: HEADERS", [.headers(1, later), .headers(1, request)], .streamError(1, [5])),
        .init("5.1", "half-closed: CONTINUATION", [.headers(1, later), .continuation(1, request)], protocolError),
        .init(
            "5.1",
            "half-closed: WINDOW_UPDATE and PRIORITY are allowed",
            [.headers(1, later), .windowUpdate(1, 1), .priority(1)],
            .nothing
        ),
        .init("5.1", "half-closed: RST_STREAM is allowed", [.headers(1, later), .reset(1)], .nothing),
        .init(
            "5.1",
            "closed after RST_STREAM: DATA",
            [.headers(1, later, end: false), .reset(1), .data(1, [1])],
            .streamError(1, [5])
        ),
        .init(
            "5.1",
            "closed after RST_STREAM: HEADERS",
            [.headers(1, later, end: false), .reset(1), .headers(1, request)],
            streamClosed
        ),
        .init(
            "5.1",
            "closed after RST_STREAM: CONTINUATION",
            [.headers(1, later, end: false), .reset(1), .continuation(1, [])],
            protocolError
        ),
        .init("5.1", "closed after its answer: DATA", [.headers(1, request), .data(1, [1])], .streamError(1, [5])),
        .init("5.1", "closed after its answer: HEADERS", [.headers(1, request), .headers(1, request)], streamClosed),
        .init(
            "5.1",
            "closed after its answer: CONTINUATION",
            [.headers(1, request), .continuation(1, [])],
            protocolError
        ),
        .init(
            "5.1",
            "closed: WINDOW_UPDATE, RST_STREAM and PRIORITY are allowed",
            [.headers(1, request), .windowUpdate(1, 1), .reset(1), .priority(1)],
            served
        ),
        .init(
            "5.1",
            "reset by the server: what was under way is passed over",
            [.headers(1, later), .data(1, [1]), .data(1, [1]), .headers(1, request), .windowUpdate(1, 1)],
            .streamError(1, [5])
        ),
        .init("5.1.1", "an even number", [.headers(2, request)], protocolError),
        .init(
            "5.1.1",
            "a number that is lower than the last",
            [.headers(5, later), .headers(3, request)],
            .connectionError([1, 5])
        ),
        .init(
            "5.1.1",
            "numbers may be left out",
            [.headers(101, request), .headers(1001, request)],
            .answered([101: 200, 1001: 200])
        ),
        .init("5.1.1", "the highest number", [.headers(0x7FFF_FFFF, request)], .answered([0x7FFF_FFFF: 200])),
        .init(
            "5.1.2",
            "more streams than are taken",
            (0...1000).map { .headers(UInt32($0 * 2 + 1), later) },
            .streamError(2001, [1, 7])
        ),
        .init("5.4.1", "a connection error names the last stream", [.headers(1, request), .ping([1])], frameSizeError),
        .init(
            "5.5",
            "an unknown frame on a stream",
            [.headers(1, request, end: false), WireFrame(type: 0x20, flags: 0xFF, stream: 1), .data(1, [1])],
            served
        ),
        .init(
            "5.5",
            "an unknown frame inside a header block",
            [.headers(1, request, endHeaders: false), WireFrame(type: 0x16, stream: 1), .continuation(1, [])],
            protocolError
        ),
    ]

    // MARK: - Section 6

    static let frames: [ConformanceCase] = [
        .init("6.1", "DATA on stream 0", [.data(0, [1])], protocolError),
        .init(
            "6.1",
            "DATA in several frames, some empty, some padded",
            [
                .headers(1, request, end: false), .data(1, [1], end: false), .data(1, [], end: false),
                .data(1, [2], end: false, padding: 200), .data(1, []),
            ],
            served
        ),
        .init(
            "6.1",
            "DATA of padding only",
            [.headers(1, request, end: false), .data(1, [], padding: 255)],
            served
        ),
        .init(
            "6.1",
            "DATA with as much padding as payload",
            [.headers(1, request, end: false), WireFrame(type: 0, flags: 9, stream: 1, payload: [5, 1, 2, 3, 4])],
            protocolError
        ),
        .init(
            "6.1",
            "DATA with more padding than payload",
            [.headers(1, request, end: false), WireFrame(type: 0, flags: 9, stream: 1, payload: [255, 1])],
            protocolError
        ),
        .init(
            "6.1",
            "DATA with PADDED and no octet",
            [.headers(1, request, end: false), WireFrame(type: 0, flags: 9, stream: 1)],
            .connectionError([1, 6])
        ),
        .init("6.2", "HEADERS on stream 0", [.headers(0, request)], protocolError),
        .init("6.2", "HEADERS with padding", [.headers(1, request, padding: 100)], served),
        .init(
            "6.2",
            "HEADERS with priority",
            [.headers(1, request, priority: [0x80, 0, 0, 0, 255])],
            served
        ),
        .init(
            "6.2",
            "HEADERS with padding and priority",
            [.headers(1, request, padding: 3, priority: [0, 0, 0, 9, 1])],
            served
        ),
        .init(
            "6.2",
            "HEADERS with too much padding",
            [WireFrame(type: 1, flags: 13, stream: 1, payload: [200] + request)],
            protocolError
        ),
        .init(
            "6.2",
            "HEADERS whose padding reaches into the priority",
            [WireFrame(type: 1, flags: 45, stream: 1, payload: [3, 0, 0, 0, 0, 1, 0, 0])],
            protocolError
        ),
        .init(
            "6.2",
            "HEADERS that end inside the priority",
            [WireFrame(type: 1, flags: 37, stream: 1, payload: [0, 0, 0])],
            .connectionError([1, 6])
        ),
        .init("6.3", "PRIORITY on stream 0", [.priority(0)], protocolError),
        .init(
            "6.3",
            "PRIORITY of four octets",
            [.headers(1, later), .priority(1, [0, 0, 0, 1])],
            .streamError(1, [6])
        ),
        .init(
            "6.3",
            "PRIORITY of six octets",
            [.headers(1, later), .priority(1, [0, 0, 0, 1, 1, 1])],
            .streamError(1, [6])
        ),
        .init("6.3", "PRIORITY of four octets on an idle stream", [.priority(1, [0, 0, 0, 1])], frameSizeError),
        .init("6.4", "RST_STREAM on stream 0", [.reset(0)], protocolError),
        .init("6.4", "RST_STREAM on an idle stream", [.headers(1, request), .reset(3)], protocolError),
        .init(
            "6.4",
            "RST_STREAM of three octets",
            [.headers(1, later), WireFrame(type: 3, stream: 1, payload: [0, 0, 0])],
            frameSizeError
        ),
        .init(
            "6.4",
            "RST_STREAM of five octets",
            [.headers(1, later), WireFrame(type: 3, stream: 1, payload: [0, 0, 0, 8, 0])],
            frameSizeError
        ),
        .init(
            "6.5",
            "an acknowledgement with payload",
            [WireFrame(type: 4, flags: 1, payload: [0, 3, 0, 0, 0, 1])],
            frameSizeError
        ),
        .init(
            "6.5",
            "SETTINGS on a stream",
            [WireFrame(type: 4, stream: 1, payload: [0, 3, 0, 0, 0, 1])],
            protocolError
        ),
        .init("6.5", "SETTINGS of five octets", [WireFrame(type: 4, payload: [0, 3, 0, 0, 0])], frameSizeError),
        .init("6.5", "SETTINGS of seven octets", [WireFrame(type: 4, payload: [0, 3, 0, 0, 0, 1, 0])], frameSizeError),
        .init("6.5.2", "ENABLE_PUSH 2", [.settings([(2, 2)])], protocolError),
        .init("6.5.2", "INITIAL_WINDOW_SIZE 2^31", [.settings([(4, 0x8000_0000)])], flowControlError),
        .init("6.5.2", "MAX_FRAME_SIZE 2^14 - 1", [.settings([(5, 16_383)])], protocolError),
        .init("6.5.2", "MAX_FRAME_SIZE 2^24", [.settings([(5, 16_777_216)])], protocolError),
        .init("6.5.2", "an unknown setting", [.settings([(0xFF, 1)]), .headers(1, request)], served),
        .init(
            "6.5.3",
            "the last of two values counts",
            [.settings([(4, 100), (4, 1)]), .headers(1, WireFields.request("/body"))],
            .body(1, [1])
        ),
        .init("6.7", "PING", [.ping([9, 8, 7, 6, 5, 4, 3, 2])], .pong([9, 8, 7, 6, 5, 4, 3, 2])),
        .init("6.7", "an acknowledged PING is not answered", [.ping(ack: true)], .nothing),
        .init(
            "6.7",
            "PING on a stream",
            [WireFrame(type: 6, stream: 1, payload: [1, 2, 3, 4, 5, 6, 7, 8])],
            protocolError
        ),
        .init("6.7", "PING of seven octets", [.ping([1, 2, 3, 4, 5, 6, 7])], frameSizeError),
        .init("6.7", "PING of nine octets", [.ping([1, 2, 3, 4, 5, 6, 7, 8, 9])], frameSizeError),
        .init(
            "6.8",
            "GOAWAY on a stream",
            [WireFrame(type: 7, stream: 1, payload: [0, 0, 0, 0, 0, 0, 0, 0])],
            protocolError
        ),
        .init("6.8", "GOAWAY of seven octets", [WireFrame(type: 7, payload: [0, 0, 0, 0, 0, 0, 0])], frameSizeError),
        .init(
            "6.8",
            "GOAWAY, then what was begun is answered",
            [.headers(1, request, end: false), .goAway(0), .data(1, [1])],
            served
        ),
        .init("6.9", "WINDOW_UPDATE of the connection by 0", [.windowUpdate(0, 0)], protocolError),
        .init(
            "6.9",
            "WINDOW_UPDATE of a stream by 0",
            [.headers(1, later), .windowUpdate(1, 0)],
            reset
        ),
        .init("6.9", "WINDOW_UPDATE of three octets", [WireFrame(type: 8, payload: [0, 0, 1])], frameSizeError),
        .init("6.9", "WINDOW_UPDATE of five octets", [WireFrame(type: 8, payload: [0, 0, 0, 0, 1])], frameSizeError),
        .init("6.9", "WINDOW_UPDATE without its reserved bit", [.windowUpdate(0, 0x8000_0001)], .nothing),
        .init("6.9", "WINDOW_UPDATE by 0 in its 31 bits", [.windowUpdate(0, 0x8000_0000)], protocolError),
        .init(
            "6.9.1",
            "no more than the window is sent",
            [.settings([(4, 3)]), .headers(1, WireFields.request("/body"))],
            .body(1, [3])
        ),
        .init(
            "6.9.1",
            "the connection's window counts, too",
            [.settings([(4, 1_000_000)]), .headers(1, WireFields.request("/large"))],
            .body(1, [16_384, 16_384, 16_384, 16_383])
        ),
        .init(
            "6.9.1",
            "the connection's window beyond 2^31 - 1",
            [.windowUpdate(0, 0x7FFF_FFFF), .windowUpdate(0, 0x7FFF_FFFF)],
            flowControlError
        ),
        .init(
            "6.9.1",
            "a stream's window beyond 2^31 - 1",
            [.headers(1, later), .windowUpdate(1, 0x7FFF_FFFF), .windowUpdate(1, 0x7FFF_FFFF)],
            .streamError(1, [3])
        ),
        .init(
            "6.9.2",
            "a wider initial window lets go on",
            [.settings([(4, 0)]), .headers(1, WireFields.request("/body")), .settings([(4, 4)])],
            .body(1, [4])
        ),
        .init(
            "6.9.2",
            "a window below zero is paid back first",
            [.settings([(4, 3)]), .headers(1, WireFields.request("/body")), .settings([(4, 2)]), .windowUpdate(1, 2)],
            .body(1, [3, 1])
        ),
        .init(
            "6.9.2",
            "an initial window that makes an open one overflow",
            [.headers(1, later), .windowUpdate(1, 0x7FFF_0000), .settings([(4, 0x7FFF_FFFF)])],
            flowControlError
        ),
        .init(
            "6.10",
            "CONTINUATION in many pieces",
            [
                .headers(1, Array(request[..<5]), endHeaders: false),
                .continuation(1, Array(request[5..<6]), end: false), .continuation(1, [], end: false),
                .continuation(1, Array(request[6...])),
            ],
            served
        ),
        .init("6.10", "CONTINUATION after END_HEADERS", [.headers(1, request), .continuation(1, [])], protocolError),
        .init(
            "6.10",
            "CONTINUATION on stream 0",
            [.headers(1, request, endHeaders: false), .continuation(0, [])],
            protocolError
        ),
        .init(
            "6.10",
            "CONTINUATION of another stream",
            [.headers(1, request, endHeaders: false), .continuation(3, [])],
            protocolError
        ),
        .init(
            "6.10",
            "CONTINUATION after DATA",
            [.headers(1, request, end: false), .data(1, [1]), .continuation(1, [])],
            protocolError
        ),
        .init("7", "an unknown error code resets", [.headers(1, later), .reset(1, 0xFF)], .nothing),
        .init("7", "an unknown error code in GOAWAY", [.goAway(0, 0xFF)], .nothing),
    ]

    // MARK: - Section 8

    static let messages: [ConformanceCase] = [
        .init(
            "8.1",
            "a second HEADERS without END_STREAM",
            [.headers(1, request, end: false), .headers(1, WireFields.block([("x", "y")]), end: false)],
            reset
        ),
        .init(
            "8.1",
            "trailers",
            [.headers(1, request, end: false), .data(1, [1], end: false), .headers(1, WireFields.block([("x", "y")]))],
            served
        ),
        .init(
            "8.1",
            "trailers without a body",
            [.headers(1, request, end: false), .headers(1, WireFields.block([("x", "y")]))],
            served
        ),
        .init(
            "8.1",
            "trailers with a pseudo-header",
            [.headers(1, request, end: false), .headers(1, WireFields.block([(":path", "/")]))],
            reset
        ),
        .init(
            "8.1",
            "trailers with an upper-case name",
            [.headers(1, request, end: false), .headers(1, WireFields.block([("X", "y")]))],
            reset
        ),
        .init(
            "8.1.1",
            "content-length that is right",
            [
                .headers(1, WireFields.request("/", [("content-length", "3")]), end: false), .data(1, [1], end: false),
                .data(1, [2, 3]),
            ],
            served
        ),
        .init(
            "8.1.1",
            "content-length that is too large",
            [.headers(1, WireFields.request("/", [("content-length", "2")]), end: false), .data(1, [1])],
            reset
        ),
        .init(
            "8.1.1",
            "content-length that is too small, over two frames",
            [
                .headers(1, WireFields.request("/", [("content-length", "1")]), end: false), .data(1, [1], end: false),
                .data(1, [1]),
            ],
            reset
        ),
        .init(
            "8.1.1",
            "content-length without a body",
            [.headers(1, WireFields.request("/", [("content-length", "1")]))],
            reset
        ),
        .init(
            "8.1.1",
            "content-length 0 without a body",
            [.headers(1, WireFields.request("/", [("content-length", "0")]))],
            served
        ),
        .init(
            "8.1.1",
            "content-length that is no number",
            [.headers(1, WireFields.request("/", [("content-length", "+1")]))],
            reset
        ),
        .init(
            "8.1.1",
            "content-length twice, the same",
            [
                .headers(1, WireFields.request("/", [("content-length", "1"), ("content-length", "1")]), end: false),
                .data(1, [1]),
            ],
            served
        ),
        .init(
            "8.1.1",
            "content-length twice, not the same",
            [
                .headers(1, WireFields.request("/", [("content-length", "1"), ("content-length", "2")]), end: false),
                .data(1, [1]),
            ],
            reset
        ),
        .init(
            "8.1.1",
            "content-length that trailers do not make right",
            [
                .headers(1, WireFields.request("/", [("content-length", "2")]), end: false), .data(1, [1], end: false),
                .headers(1, WireFields.block([("x", "y")])),
            ],
            reset
        ),
        malformed("8.2.1", "an upper-case name", pseudo + [("X-Test", "y")]),
        malformed("8.2.1", "an empty name", pseudo + [("", "y")]),
        malformed("8.2.1", "a name with a space", pseudo + [("x y", "y")]),
        malformed("8.2.1", "a name with a control character", pseudo + [("x\u{1}", "y")]),
        malformed("8.2.1", "a name with an octet beyond ASCII", pseudo + [("ä", "y")]),
        malformed("8.2.1", "a name with a colon", pseudo + [("x:y", "y")]),
        malformed("8.2.1", "a value with NUL", pseudo + [("x", "a\0b")]),
        malformed("8.2.1", "a value with CR", pseudo + [("x", "a\rb")]),
        malformed("8.2.1", "a value with LF", pseudo + [("x", "a\nb")]),
        malformed("8.2.1", "a value that begins with a space", pseudo + [("x", " a")]),
        malformed("8.2.1", "a value that ends with a tab", pseudo + [("x", "a\t")]),
        malformed("8.2.1", "CR and LF in a path", [(":method", "POST"), (":scheme", "https"), (":path", "/\r\nx: y")]),
        allowed("8.2.1", "an empty value", pseudo + [("x", "")]),
        allowed("8.2.1", "a value beyond ASCII", pseudo + [("x", "ä b")]),
        malformed("8.2.2", "connection", pseudo + [("connection", "keep-alive")]),
        malformed("8.2.2", "transfer-encoding", pseudo + [("transfer-encoding", "chunked")]),
        malformed("8.2.2", "upgrade", pseudo + [("upgrade", "h2c")]),
        malformed("8.2.2", "keep-alive", pseudo + [("keep-alive", "1")]),
        malformed("8.2.2", "proxy-connection", pseudo + [("proxy-connection", "close")]),
        malformed("8.2.2", "TE with anything but trailers", pseudo + [("te", "trailers, deflate;q=0.5")]),
        allowed("8.2.2", "TE with trailers", pseudo + [("te", "trailers")]),
        allowed("8.2.3", "cookies in pieces", pseudo + [("cookie", "a=b"), ("cookie", "c=d")]),
        malformed("8.3", "an unknown pseudo-header", pseudo + [(":test", "x")]),
        malformed("8.3", "the pseudo-header of an answer", pseudo + [(":status", "200")]),
        malformed("8.3", "a pseudo-header behind a field", [("x", "y")] + pseudo),
        malformed("8.3", "the last pseudo-header behind a field", pseudo.dropLast() + [("x", "y")] + pseudo.suffix(1)),
        malformed("8.3.1", "no :method", pseudo.filter { $0.0 != ":method" }),
        malformed("8.3.1", "no :scheme", pseudo.filter { $0.0 != ":scheme" }),
        malformed("8.3.1", "no :path", pseudo.filter { $0.0 != ":path" }),
        malformed("8.3.1", "an empty :path", pseudo.map { ($0.0, $0.0 == ":path" ? "" : $0.1) }),
        malformed("8.3.1", ":method twice", pseudo + [(":method", "POST")]),
        malformed("8.3.1", ":scheme twice", pseudo + [(":scheme", "https")]),
        malformed("8.3.1", ":path twice", pseudo + [(":path", "/")]),
        malformed("8.3.1", ":authority twice", pseudo + [(":authority", "localhost")]),
        allowed("8.3.1", "no :authority but host", pseudo.dropLast() + [("host", "localhost")]),
        .init("8.4", "PUSH_PROMISE from a client", [.pushPromise(1, 2, request)], protocolError),
        .init(
            "8.4",
            "PUSH_PROMISE on an open stream",
            [.headers(1, later, end: false), .pushPromise(1, 2, request)],
            protocolError
        ),
        .init(
            "8.7",
            "DATA behind a malformed request is passed over",
            [.headers(1, WireFields.block([("x", "y")]), end: false), .data(1, [1]), .headers(3, request)],
            reset
        ),
        .init(
            "10.5.1",
            "a header list that is too large",
            [.headers(1, WireFields.request("/", [("x", String(repeating: "v", count: 8000))]))],
            .answered([1: 431])
        ),
    ]

    // MARK: - RFC 7541

    static let hpack: [ConformanceCase] = [
        compression("HPACK 2.3.3", "an index beyond both tables", "be"),
        compression("HPACK 2.3.3", "a name's index beyond both tables", "7f0061 0178"),
        compression("HPACK 2.3.3", "an index beyond what an integer holds", "ffffffffffffff7f"),
        compression("HPACK 4.2", "a size update at the end of a block", "20"),
        compression("HPACK 4.2", "a size update between fields", "2082"),
        .init(
            "HPACK 4.2",
            "size updates at the beginning",
            [.headers(1, [0x20, 0x3F, 0x45] + request)],
            served
        ),
        .init(
            "HPACK 4.2",
            "a size update behind fields of an earlier block",
            [.headers(1, request), .headers(3, [0x20] + request)],
            .answered([1: 200, 3: 200])
        ),
        .init(
            "HPACK 4.4",
            "what was evicted is not there any more",
            [.headers(1, request + hex("4001610162")), .headers(3, [0x20] + request + [0xBE])],
            compressionError
        ),
        .init(
            "HPACK 4.4",
            "what was remembered is there",
            [.headers(1, request + hex("4001610162")), .headers(3, request + [0xBE])],
            .answered([1: 200, 3: 200])
        ),
        .init(
            "HPACK 4.4",
            "what a refused request left is there",
            [.headers(1, hex("4001610162")), .headers(3, request + [0xBE])],
            reset
        ),
        compression("HPACK 5.1", "an integer of too many octets", "7f8080808080808080808001"),
        compression("HPACK 5.2", "a string longer than the block", "000161057878"),
        compression("HPACK 5.2", "a whole octet of padding", "000161821fff"),
        compression("HPACK 5.2", "padding of zeros", "0001618118"),
        compression("HPACK 5.2", "EOS in a string", "00016184ffffffff"),
        compression("HPACK 5.2", "EOS in a name", "0084ffffffff0161"),
        compression("HPACK 6.1", "index 0", "80"),
        .init(
            "HPACK 6.2.3",
            "never to be indexed",
            [.headers(1, request + hex("10 01 61 01 62"))],
            served
        ),
        .init(
            "HPACK 6.2.3",
            "never to be indexed is not remembered",
            [.headers(1, request + hex("10 01 61 01 62 be"))],
            compressionError
        ),
        .init(
            "HPACK 6.3",
            "a size beyond what was announced",
            [.headers(1, [0x3F, 0xE2, 0x1F] + request)],
            compressionError
        ),
        .init(
            "HPACK 6.3",
            "the size that was announced",
            [.headers(1, [0x3F, 0xE1, 0x1F] + request)],
            served
        ),
    ]
}
