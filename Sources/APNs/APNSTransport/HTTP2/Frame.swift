/// The nine octets before each frame's payload (RFC 9113, section 4.1).
struct FrameHeader: Hashable, Sendable {
    /// The payload size in octets, 0 to 2^24 - 1.
    var length: Int
    var type: FrameType
    var flags: FrameFlags = []
    /// The stream id, 31 bits; 0 is the connection itself. The reserved bit is ignored.
    var streamID: UInt32 = 0

    static let size = 9
}

extension FrameHeader {
    /// Reads the nine octets at `offset`, which must exist.
    @inline(__always)
    init(_ bytes: Span<UInt8>, at offset: Int = 0) {
        length = Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
        type = FrameType(rawValue: bytes[offset + 3])
        flags = FrameFlags(rawValue: bytes[offset + 4])
        streamID = bytes.bigEndian32(at: offset + 5) & 0x7FFF_FFFF
    }
}

/// The types of frames (RFC 9113, section 6). Other values are legal and ignored (section 5.5).
struct FrameType: RawRepresentable, Hashable, Sendable {
    var rawValue: UInt8

    static let data = FrameType(rawValue: 0x0)
    static let headers = FrameType(rawValue: 0x1)
    static let priority = FrameType(rawValue: 0x2)
    static let rstStream = FrameType(rawValue: 0x3)
    static let settings = FrameType(rawValue: 0x4)
    static let pushPromise = FrameType(rawValue: 0x5)
    static let ping = FrameType(rawValue: 0x6)
    static let goAway = FrameType(rawValue: 0x7)
    static let windowUpdate = FrameType(rawValue: 0x8)
    static let continuation = FrameType(rawValue: 0x9)
}

/// The flags of all frame types; flags that a type does not define are ignored (RFC 9113, section 4.1).
struct FrameFlags: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    /// On DATA and HEADERS: the sender's last frame on the stream.
    static let endStream = FrameFlags(rawValue: 0x1)
    /// On SETTINGS and PING: an acknowledgement.
    static let ack = FrameFlags(rawValue: 0x1)
    static let endHeaders = FrameFlags(rawValue: 0x4)
    static let padded = FrameFlags(rawValue: 0x8)
    static let priority = FrameFlags(rawValue: 0x20)
}

extension Span where Element == UInt8 {
    @inline(__always)
    func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
            | UInt32(self[offset + 3])
    }

    @inline(__always)
    func bigEndian16(at offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }
}

/// Writing of frames (RFC 9113, section 6). They are only appended; the owner of the buffer sends it in one piece.
extension WireBytes {
    @inline(__always)
    mutating func writeFrameHeader(_ header: FrameHeader) {
        // Length and type, then flags and stream: three stores instead of nine.
        write(UInt32(truncatingIfNeeded: header.length) << 8 | UInt32(header.type.rawValue))
        write(header.flags.rawValue)
        write(header.streamID)
    }

    /// Writes SETTINGS (RFC 9113, section 6.5).
    mutating func writeSettings(_ settings: [HTTP2Setting]) {
        writeFrameHeader(FrameHeader(length: settings.count * 6, type: .settings))
        for setting in settings {
            write(setting.identifier.rawValue)
            write(setting.value)
        }
    }

    mutating func writeSettingsAck() { writeFrameHeader(FrameHeader(length: 0, type: .settings, flags: .ack)) }

    /// Writes PING (RFC 9113, section 6.7).
    mutating func writePing(_ data: UInt64, isAck: Bool) {
        writeFrameHeader(FrameHeader(length: 8, type: .ping, flags: isAck ? .ack : []))
        write(data)
    }

    /// Writes RST_STREAM (RFC 9113, section 6.4).
    mutating func writeReset(_ streamID: UInt32, _ code: HTTP2ErrorCode) {
        writeFrameHeader(FrameHeader(length: 4, type: .rstStream, streamID: streamID))
        write(code.rawValue)
    }

    /// Writes GOAWAY (RFC 9113, section 6.8).
    mutating func writeGoAway(lastStreamID: UInt32, _ code: HTTP2ErrorCode, _ debugData: [UInt8]) {
        writeFrameHeader(FrameHeader(length: 8 + debugData.count, type: .goAway))
        write(lastStreamID)
        write(code.rawValue)
        write(debugData)
    }

    /// Writes WINDOW_UPDATE (RFC 9113, section 6.9).
    mutating func writeWindowUpdate(_ streamID: UInt32, by increment: Int) {
        writeFrameHeader(FrameHeader(length: 4, type: .windowUpdate, streamID: streamID))
        write(UInt32(truncatingIfNeeded: increment))
    }
}

/// One parameter of a SETTINGS frame (RFC 9113, section 6.5.1).
struct HTTP2Setting: Hashable, Sendable {
    /// The identifier (RFC 9113, section 6.5.2); unknown ones are legal and ignored.
    enum Identifier: UInt16 {
        case headerTableSize = 1
        case enablePush
        case maxConcurrentStreams
        case initialWindowSize
        case maxFrameSize
        case maxHeaderListSize
    }

    var identifier: Identifier
    var value: UInt32

    init(_ identifier: Identifier, _ value: Int) {
        self.identifier = identifier
        self.value = UInt32(clamping: value)
    }
}

/// The settings of the other side, initially the defaults of RFC 9113, section 6.5.2.
package struct PeerSettings: Hashable, Sendable {
    package internal(set) var headerTableSize = 4096
    /// The stream limit; nil for none.
    package internal(set) var maxConcurrentStreams: Int?
    package internal(set) var initialWindowSize = 65_535
    package internal(set) var maxFrameSize = 16_384
    /// The header list limit, which is advice (section 10.5.1); nil for none.
    package internal(set) var maxHeaderListSize: Int?

    /// Applies one parameter.
    ///
    /// - Throws: if the value is outside RFC 9113's range, with the error code that it prescribes.
    mutating func apply(_ setting: HTTP2Setting, fromServer: Bool) throws(HTTP2ConnectionError) {
        let value = Int(setting.value)
        switch setting.identifier {
        case .headerTableSize: headerTableSize = value
        case .enablePush:
            guard value <= (fromServer ? 0 : 1) else {
                throw HTTP2ConnectionError(.protocolError, "SETTINGS_ENABLE_PUSH is \(value) (RFC 9113, 6.5.2)")
            }
        case .maxConcurrentStreams: maxConcurrentStreams = value
        case .initialWindowSize:
            guard value <= Int(Int32.max) else {
                throw HTTP2ConnectionError(
                    .flowControlError,
                    "SETTINGS_INITIAL_WINDOW_SIZE is \(value) (RFC 9113, 6.5.2)"
                )
            }
            initialWindowSize = value
        case .maxFrameSize:
            guard (16_384...16_777_215).contains(value) else {
                throw HTTP2ConnectionError(.protocolError, "SETTINGS_MAX_FRAME_SIZE is \(value) (RFC 9113, 6.5.2)")
            }
            maxFrameSize = value
        case .maxHeaderListSize: maxHeaderListSize = value
        }
    }
}
