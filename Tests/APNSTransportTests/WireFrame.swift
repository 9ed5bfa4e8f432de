/// A frame as the tests write and read it, so that the code under test is not its own witness (RFC 9113, section 4.1).
struct WireFrame: Hashable, Sendable, CustomStringConvertible {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var bytes: [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags] + octets(stream)
            + payload
    }

    var description: String {
        let names = [
            "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE",
            "CONTINUATION",
        ]
        let name = Int(type) < names.count ? names[Int(type)] : "type \(type)"
        return "\(name)(stream \(stream), flags \(flags), \(payload.count) octets)"
    }

    // MARK: - Writing

    static let endStream: UInt8 = 1
    static let ack: UInt8 = 1
    static let endHeaders: UInt8 = 4

    static func data(_ stream: UInt32, _ body: [UInt8] = [], end: Bool = true, padding: Int? = nil) -> WireFrame {
        WireFrame(
            type: 0,
            flags: (end ? 1 : 0) | (padding == nil ? 0 : 8),
            stream: stream,
            payload: padded(body, padding)
        )
    }

    static func headers(
        _ stream: UInt32,
        _ block: [UInt8],
        end: Bool = true,
        endHeaders: Bool = true,
        padding: Int? = nil,
        priority: [UInt8]? = nil
    ) -> WireFrame {
        let flags: UInt8 =
            (end ? 1 : 0) | (endHeaders ? 4 : 0) | (padding == nil ? 0 : 8) | (priority == nil ? 0 : 32)
        return WireFrame(type: 1, flags: flags, stream: stream, payload: padded((priority ?? []) + block, padding))
    }

    static func continuation(_ stream: UInt32, _ block: [UInt8], end: Bool = true) -> WireFrame {
        WireFrame(type: 9, flags: end ? 4 : 0, stream: stream, payload: block)
    }

    static func priority(_ stream: UInt32, _ payload: [UInt8] = [0, 0, 0, 0, 15]) -> WireFrame {
        WireFrame(type: 2, stream: stream, payload: payload)
    }

    static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> WireFrame {
        WireFrame(type: 3, stream: stream, payload: octets(code))
    }

    static func settings(_ settings: [(UInt16, UInt32)] = []) -> WireFrame {
        WireFrame(
            type: 4,
            payload: settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + octets($0.1) }
        )
    }

    static let settingsAck = WireFrame(type: 4, flags: 1)

    static func ping(_ payload: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8], ack: Bool = false) -> WireFrame {
        WireFrame(type: 6, flags: ack ? 1 : 0, payload: payload)
    }

    static func goAway(_ last: UInt32, _ code: UInt32 = 0, _ debugData: [UInt8] = []) -> WireFrame {
        WireFrame(type: 7, payload: octets(last) + octets(code) + debugData)
    }

    static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> WireFrame {
        WireFrame(type: 8, stream: stream, payload: octets(increment))
    }

    static func pushPromise(_ stream: UInt32, _ promised: UInt32, _ block: [UInt8]) -> WireFrame {
        WireFrame(type: 5, flags: 4, stream: stream, payload: octets(promised) + block)
    }

    private static func padded(_ content: [UInt8], _ padding: Int?) -> [UInt8] {
        guard let padding else { return content }
        return [UInt8(padding)] + content + Array(repeating: 0, count: padding)
    }

    // MARK: - Reading

    /// Takes the complete frames off the front of what has arrived.
    static func take(from bytes: inout [UInt8]) -> [WireFrame] {
        var frames: [WireFrame] = []
        var start = 0
        while bytes.count - start >= 9 {
            let count = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
            guard bytes.count - start >= 9 + count else { break }
            let stream = number(bytes[(start + 5)..<(start + 9)]) & 0x7FFF_FFFF
            let payload = Array(bytes[(start + 9)..<(start + 9 + count)])
            frames.append(
                WireFrame(type: bytes[start + 3], flags: bytes[start + 4], stream: stream, payload: payload)
            )
            start += 9 + count
        }
        bytes.removeFirst(start)
        return frames
    }

    var isGoAway: Bool { type == 7 }
    var isReset: Bool { type == 3 }
    var endsStream: Bool { (type == 0 || type == 1) && flags & 1 == 1 }

    /// The error code of GOAWAY or RST_STREAM; nil for the others.
    var errorCode: UInt32? {
        switch type {
        case 3 where payload.count == 4: WireFrame.number(payload[0..<4])
        case 7 where payload.count >= 8: WireFrame.number(payload[4..<8])
        default: nil
        }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Four octets, the highest first.
func octets(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}

/// Header blocks as the tests write them.
enum WireFields {
    /// Literals without indexing and without Huffman coding (RFC 7541, section 6.2.2).
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string(Array($0.0.utf8)) + string(Array($0.1.utf8)) }
    }

    /// A string literal without Huffman coding (RFC 7541, section 5.2).
    static func string(_ text: [UInt8]) -> [UInt8] { integer(text.count, prefix: 7, pattern: 0) + text }

    /// RFC 7541, section 5.1.
    static func integer(_ value: Int, prefix: Int, pattern: UInt8) -> [UInt8] {
        let mask = (1 << prefix) - 1
        if value < mask { return [pattern | UInt8(value)] }
        var bytes = [pattern | UInt8(mask)]
        var rest = value - mask
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// A request that is as it should be.
    static func request(_ path: String = "/3/device/00", _ more: [(String, String)] = []) -> [UInt8] {
        block([(":method", "POST"), (":scheme", "https"), (":path", path), (":authority", "localhost")] + more)
    }

    /// An answer that is as it should be.
    static func answer(_ status: Int = 200, _ more: [(String, String)] = []) -> [UInt8] {
        block([(":status", String(status))] + more)
    }
}

/// Chance that comes out the same each time (SplitMix64).
struct SeededChance: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func bytes(_ count: Int, in range: ClosedRange<UInt8> = 0...255) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: range, using: &self) }
    }
}
